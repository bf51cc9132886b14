# shellcheck shell=bash
# Shared by run and setup: a clean environment, a Python that is new enough, a virtual environment. Sourced by bash, never run.

# A hook exports GIT_DIR and friends, and tests must not see them.
for name in "${!GIT_@}"; do unset "$name"; done
unset PYTHONHOME PYTHONPATH VIRTUAL_ENV CDPATH
# An empty environment (env -i) has neither: bash keeps its own default PATH to itself, and ~ asks the user database.
export PATH="${PATH:-/usr/local/bin:/usr/bin:/bin}" HOME="${HOME:-$(printf '%s' ~)}"
export LC_ALL=C.UTF-8 TZ=UTC PYTHONHASHSEED=0
# A slow mirror is waited for, nobody is asked anything, and root is a fine user of a virtual environment.
export PIP_DEFAULT_TIMEOUT="${PIP_DEFAULT_TIMEOUT:-60}" PIP_RETRIES="${PIP_RETRIES:-8}"
export PIP_NO_INPUT=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore

die() {
  printf '%s\n' "$@" >&2
  exit 2
}

# Prints the first interpreter that is at least 3.11 and can make virtual environments; HOARD_PYTHON goes first.
# Each is started: a name on PATH may be a version manager's shim with nothing behind it, and Debian ships Python without ensurepip.
find_python() {
  local candidate
  for candidate in ${HOARD_PYTHON:+"$HOARD_PYTHON"} python3 python3.14 python3.13 python3.12 python3.11 python; do
    if "$candidate" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then
      command -v "$candidate"
      return
    fi
  done
  return 1
}

need_programs() {
  command -v git >/dev/null 2>&1 || die "git was not found." "Install git 2.39 or newer and run this again."
  python=$(find_python) || die "No Python 3.11 or newer with its venv module was found." \
    "Install one (on Debian and Ubuntu: apt-get install python3 python3-venv), or name it: HOARD_PYTHON=/path/to/python3 $0"
}

# attempt COMMAND...: up to three times, since an index that is slow or gone for a moment should not fail the run.
attempt() {
  local try
  for try in 1 2 3; do
    "$@" && return 0
    printf 'try %s of 3 failed: %s\n' "$try" "${*:1:4} …" >&2
    sleep "$((try * 2))"
  done
  return 1
}

# requirements GROUP...: what pyproject.toml asks for, one a line: "runtime", "build", or the name of a dependency group.
# Read here because `pip install --group` needs pip 25.1, and a new environment of Python 3.11 comes with an older one.
requirements() {
  "$python" - "$@" <<'PROGRAM'
import sys, tomllib

with open("pyproject.toml", "rb") as file:
    project = tomllib.load(file)
known = {"runtime": project["project"]["dependencies"], "build": project["build-system"]["requires"], **project["dependency-groups"]}
print(*(line for group in sys.argv[1:] for line in known[group]), sep="\n")
PROGRAM
}

# stamp: changes whenever an existing environment no longer fits.
stamp() {
  "$python" - "$PWD" <<'PROGRAM'
import hashlib, sys

digest = hashlib.sha256(f"{sys.version} {sys.argv[1]}".encode())
for name in ("pyproject.toml", ".ci/requirements.txt", ".ci/common.sh"):
    with open(name, "rb") as file:
        digest.update(file.read())
print(digest.hexdigest())
PROGRAM
}

# make_environment FOLDER GROUP...: a virtual environment with the project (editable) and these groups, unless FOLDER is up to date.
make_environment() {
  local folder=$1 wanted packages
  shift
  wanted="$(stamp) $*"
  [[ -f $folder/stamp && $(<"$folder/stamp") == "$wanted" && -x $folder/bin/python ]] && return 0
  printf 'making %s with %s\n' "$folder" "$("$python" --version)"
  rm -rf "$folder"
  "$python" -m venv "$folder" || die "Python could not make the virtual environment $folder." "Install its venv module (on Debian and Ubuntu: apt-get install python3-venv)."
  mapfile -t packages < <(requirements build runtime "$@")
  attempt "$folder/bin/python" -m pip install -qq -c .ci/requirements.txt "${packages[@]}" ||
    die "pip could not install what the project needs; its own words stand above." "Check the connection to the package index and run this again."
  # The build tools are in place, so this one asks the index for nothing.
  "$folder/bin/python" -m pip install -qq --no-deps --no-build-isolation -e . ||
    die "pip could not install the project itself; its own words stand above."
  printf '%s' "$wanted" >"$folder/stamp"
}
