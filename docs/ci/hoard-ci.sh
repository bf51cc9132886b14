#!/bin/sh
# Judge what a branch adds to its base, on any server with git and Python 3.11 or newer.
#
#   BASE=main HEAD=feature sh hoard-ci.sh          a pull request: branches of origin, or any revision for HEAD
#   BEFORE=<oid> HEAD=<oid> sh hoard-ci.sh         a push: what the branch pointed to, and what it points to now
#
# REPORT (hoard.sarif) is where the report goes. Exit status: 0 nothing wrong, 1 findings, 2 could not judge.
# Keep this file where the change under judgement cannot edit it: on the server, or in a checkout of the base.
set -eu
version=0.1.0
report=${REPORT:-hoard.sarif}
rm -f "$report"

fail() {
  printf 'hoard-ci: %s\n' "$1" >&2
  exit 2
}

[ -n "${HEAD:-}" ] || fail "HEAD is not set: the branch or commit to judge."
if ! command -v hoard >/dev/null || [ "$(hoard --version)" != "hoard $version" ]; then
  environment=$(mktemp -d) || fail "no temporary folder"
  trap 'rm -rf "$environment"' EXIT
  python3 -m venv "$environment" || fail "python3 -m venv failed"
  "$environment/bin/pip" install --quiet "hoard-git==$version" || fail "hoard-git $version could not be installed"
  PATH=$environment/bin:$PATH
fi

if [ "$(git rev-parse --is-shallow-repository)" = true ]; then
  git fetch --quiet --unshallow origin || fail "the history is cut off and could not be fetched"
fi
git fetch --quiet --no-tags origin "+refs/heads/*:refs/remotes/origin/*" || fail "origin could not be fetched"

# The branch as origin has it now, not a local one of the same name that may be old.
head=$(git rev-parse --quiet --verify "refs/remotes/origin/$HEAD^{commit}" || git rev-parse --quiet --verify "$HEAD^{commit}") ||
  fail "HEAD names no commit"
if [ -n "${BASE:-}" ]; then
  base=$(git rev-parse --quiet --verify "refs/remotes/origin/$BASE^{commit}") || fail "origin has no branch that BASE names"
  range=$base..$head
elif [ -n "${BEFORE:-}" ] &&
  { git cat-file -e "$BEFORE^{commit}" || git fetch --quiet --no-tags origin "$BEFORE"; } 2>/dev/null; then
  range=$BEFORE..$head
else
  range=$head # a first push, or one whose past is gone: everything
fi

status=0
hoard check --range "$range" --report "sarif=$report" || status=$?
exit "$status"
