"""Which class a path belongs to, and what an untagged file of that class counts as (DESIGN, "Words")."""

from __future__ import annotations

from hoard_git.core.budget import INDEX_NAME
from hoard_git.core.dates import parse_day
from hoard_git.core.globs import compile_globs
from hoard_git.core.policy import FILE_NAME, Policy
from hoard_git.core.tags import Tag

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

OTHER = "other"
"""Under memory/ but of no class: scanned for secrets only."""

ACTIVE = ("index", "topic", "daily", "heartbeat", "identity", "wiki")
"""Classes that are not the archive."""

MARKDOWN = (".md", ".markdown", ".mdc", ".mdx")
"""Ends of names, in lower case, of files that hosts and agents read as markdown."""

LOADED = frozenset(("index", "identity", "heartbeat"))
"""Classes of which a host loads files at the start of a session."""

PROTECTED_NAMES = frozenset(
    (
        FILE_NAME, ".gitattributes", ".mailmap", ".gitmodules", "allowed_signers",
        ".pre-commit-config.yaml", ".pre-commit-config.yml", ".pre-commit-hooks.yaml", ".gitleaks.toml", ".gitleaksignore",
        "lefthook.yml", "lefthook.yaml", "lefthook.toml", ".lefthook.yml", ".lefthook.yaml", "lefthook-local.yml", "lefthook-local.yaml",
        ".gitlab-ci.yml", ".gitlab-ci.yaml", ".woodpecker.yml", ".woodpecker.yaml", ".drone.yml", ".travis.yml", ".cirrus.yml",
        "azure-pipelines.yml", "azure-pipelines.yaml", "bitbucket-pipelines.yml", "bitbucket-pipelines.yaml", ".cirrus.yaml", "jenkinsfile",
    )
)  # fmt: skip
"""Names, in lower case, of files that steer the gate wherever they lie: policy, attributes, signers, hook managers, CI."""

PROTECTED_DIRS = (
    ".github/", ".gitlab/", ".forgejo/", ".gitea/", ".woodpecker/", ".circleci/", ".buildkite/", ".husky/", ".githooks/", ".lefthook/",
    ".hoard/", ".git-hooks/", ".claude/hooks/",
)  # fmt: skip
PROTECTED_ENDS = ("/.claude/settings.json", "/.claude/settings.local.json")
"""What hooks of a host lie in, wherever it is: programs that run in the human's name, and can take git's hooks out."""

_compiled: dict[tuple[tuple[str, tuple[str, ...]], ...], list[tuple[str, re.Pattern[str]]]] = {}


def local_path(path: str, policy: Policy) -> str | None:
    """Return the path as the policy's globs see it: relative to its root. None when it lies in no workspace of this policy."""
    if not path.startswith(policy.prefix):
        return None
    inside = path[len(policy.prefix) :]
    if not policy.roots:
        return inside
    best = None
    for root in policy.roots:
        if root in ("", "."):
            best = inside if best is None else best
        elif inside.startswith(root + "/"):
            rest = inside[len(root) + 1 :]
            if best is None or len(rest) < len(best):
                best = rest
    return best


def classify(path: str, policy: Policy) -> str:
    """Return the class of a path (`index`, `topic`, … or `other`), or '' when it is no memory."""
    inside = local_path(path, policy)
    if inside is None:
        return ""
    patterns = _compiled.get(policy.globs)
    if patterns is None:
        order = sorted(
            policy.globs, key=lambda pair: ("index", "heartbeat", "identity", "archive", "daily", "topic", "wiki").index(pair[0])
        )
        patterns = _compiled[policy.globs] = [(name, compile_globs(globs)) for name, globs in order]
    for name, pattern in patterns:
        if pattern.fullmatch(inside):
            # The archive's glob takes in whatever lies there; only its markdown is judged as memory.
            return OTHER if name == "archive" and not inside.lower().endswith((".md", ".markdown")) else name
    return OTHER if inside.startswith("memory/") else ""


def file_default(path: str, file_class: str, policy: Policy) -> Tag | None:
    """Return what an untagged file counts as: a daily log its day's agent, an identity file its owner, HEARTBEAT.md the agent.

    `owners` names a file by its path under the root, or by its name alone; an identity file that it does not name is the user's.
    """
    name = path.rsplit("/", 1)[-1]
    if file_class == "daily":
        return Tag("agent", name[:10] if parse_day(name[:10]) else "unknown")
    if file_class == "identity":
        owners = dict(policy.owners)
        return Tag(owners.get(local_path(path, policy) or path) or owners.get(name, "user"), "unknown")
    if file_class == "heartbeat":
        return Tag("agent", "unknown")
    return None


def bootstrap_name(path: str, file_class: str, policy: Policy) -> str:
    """The name under which a host loads a file at the start of a session: MEMORY.md for an index, else its own at a workspace's top, else ''."""
    if file_class == "index":
        return INDEX_NAME
    inside = local_path(path, policy)
    return inside if inside and "/" not in inside and file_class in LOADED else ""


def index_name(policy: Policy) -> str:
    """Where an index lies below its root: the first of the policy's globs for it that is a name, else MEMORY.md."""
    return next((glob for glob in dict(policy.globs)["index"] if not any(c in glob for c in "*?")), INDEX_NAME)


def log_day(path: str) -> int | None:
    """Return the day number in a daily log's name, or None."""
    return parse_day(path.rsplit("/", 1)[-1][:10])


def is_policy(path: str) -> bool:
    """Whether a path is a policy file, at the root or below."""
    return path.rsplit("/", 1)[-1].lower() == FILE_NAME


def is_protected(path: str) -> bool:
    """Whether a path steers the gate itself: policy, attributes, mail map, signers, CI and hook files.

    Letter case does not count: on macOS and Windows `.GITHUB` is the same folder.
    """
    lower = path.lower()
    return (
        lower.rsplit("/", 1)[-1] in PROTECTED_NAMES
        or lower.startswith(PROTECTED_DIRS)
        or any("/" + d in lower for d in PROTECTED_DIRS[-6:])
        or f"/{lower}".endswith(PROTECTED_ENDS)
    )


def roots_of(policy: Policy) -> list[str]:
    """The directories of the workspaces of a policy in its order, '' or ending in '/'; its own directory where it lists none."""
    return [policy.prefix + (root + "/" if root not in ("", ".") else "") for root in policy.roots or ("",)]


def memory_pathspecs(policy: Policy) -> list[str]:
    """The git pathspecs that hold every memory file of a policy, and perhaps others, which `classify` tells apart."""
    from hoard_git.core.globs import git_pathspec

    return [git_pathspec(base, glob) for base in roots_of(policy) for _name, globs in policy.globs for glob in globs]
