"""A workspace whose policy asks for signatures."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Self

from tests.support.environment import AGENT, HUMAN, identity
from tests.support.repo import MEMORY, Repo
from tests.support.signing import PgpKey, SshKey, merged, policy, sign_with

AS_AGENT, AS_HUMAN = identity(AGENT), identity(HUMAN)
USER_EDIT = MEMORY.replace("on Tuesdays", "on Fridays")
AGENT_EDIT = MEMORY.replace("- Backups run at 03:30.", "- Backups run at 04:30.")


class Signed(Repo):
    """A workspace whose policy asks for signatures; Ada's key is a human's and bot's an agent's."""

    ada: SshKey
    bot: SshKey

    @classmethod
    def introduce(cls, path: Path, ada: SshKey, bot: SshKey, *options: str) -> Self:
        """A new one with a policy and a MEMORY.md, signed by Ada."""
        made = cls.create(path, *options)
        made.ada, made.bot = ada, bot
        made.make({".hoard.yaml": policy(ada.line, bot.line), "MEMORY.md": MEMORY}, ada, message="Introduce the memory policy\n")
        return made

    def make(
        self, files: Mapping[str, str | None], key: SshKey | PgpKey | None, who: Mapping[str, str] = AS_HUMAN, message: str = "Change\n"
    ) -> str:
        signing = {} if key is None else key.environment if isinstance(key, PgpKey) else sign_with(key)
        return self.commit(message, files, env=merged(who, signing))

    def merge(self, branch: str, key: SshKey | None, files: Mapping[str, str | None] | None = None, *options: str) -> str:
        signing = sign_with(key) if key is not None else {}
        self.git("merge", "-q", "--no-ff", "--no-commit", *options, branch, env=merged(AS_HUMAN, signing), check=False)
        self.git("add", "-A")
        return self.make(files or {}, key)
