"""Facts that tests lose, and how these are brought back."""

from __future__ import annotations

from hoard_git.app.restore import Present, Restored, Wanted, find_lost, restore
from hoard_git.app.write import Wish
from tests.app.support import june, reader_of
from tests.support.repo import Repo, Workspace

NODE = "- Node-2 serves the wiki.\n"


NEWS = "- The newsletter goes out on Tuesdays.\n"


BACKUP = "- Backups run at 04:30. <!-- src:agent ts:2026-06-06 ttl:90d id:bkp234 -->\n"


ARCHIVE = "memory/archive/2026-06-12.md"


def bring(repo: Repo, argument: str, *, rev: str = "", to: str = "", human: bool = False, commit: bool = True) -> Restored | Present:
    reader = reader_of(repo)
    wanted = Wanted(argument, argument, repo.head(rev) if rev else "", to)
    found = find_lost(reader, wanted, lambda _done, _all: None)
    return restore(reader, wanted, found, Wish(human=human), june, {}, commit=commit)


def restored(repo: Repo, argument: str, *, rev: str = "", to: str = "", human: bool = False, commit: bool = True) -> Restored:
    done = bring(repo, argument, rev=rev, to=to, human=human, commit=commit)
    assert isinstance(done, Restored)
    return done


def change(repo: Repo, old: str, new: str, path: str = "MEMORY.md") -> str:
    before = repo.read_bytes(path)
    assert old.encode() in before
    return repo.commit("Change\n", {path: before.replace(old.encode(), new.encode())}, author=Workspace.agent)
