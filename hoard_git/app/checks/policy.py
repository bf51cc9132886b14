"""policy: whether there is one, it is committed, and it blocks."""

from __future__ import annotations

from hoard_git.app.checks.base import FAIL, OK, WARN, Check
from hoard_git.app.policies import read_policies
from hoard_git.core.policy import FILE_NAME

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hoard_git.app.checks.base import Look


def check(look: Look) -> Check:
    """Changes are judged by the committed policy, so one in the work tree alone protects nothing."""
    policies = look.policies
    if not policies.known:
        return Check("policy", FAIL, f"no {FILE_NAME} here", "hoard init")
    committed = read_policies(look.reader, look.head, [FILE_NAME, *[prefix + FILE_NAME for prefix, _policy in policies.by_prefix]])
    if not committed.known:
        return Check(
            "policy", FAIL, f"{FILE_NAME} is in no commit, so nothing is judged by it", f"git add {FILE_NAME} && git commit {FILE_NAME}"
        )
    if committed.by_prefix != policies.by_prefix:
        return Check("policy", WARN, f"{FILE_NAME} differs from the committed one, which counts", f"git diff HEAD -- {FILE_NAME}")
    if look.policy.mode == "warn":
        return Check("policy", WARN, "mode: warn, so the hooks report and never block", f"set mode: enforce in {FILE_NAME}")
    return Check("policy", OK, f"mode {look.policy.mode}, authority {look.policy.authority}")
