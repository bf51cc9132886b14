"""A push moves or makes a ref in a way that takes memory out of sight.

## Why

A rewound or deleted branch forgets facts without any commit that says so, and nobody can ask who did it. A ref under `refs/replace/` shows
everybody who fetches it another history than the one that was judged. A ref under `refs/hoard/` that hoard-git does not know may pass for one
of its own. A ref that names a file or a tree names no commit, so nobody has signed for it.

## Bad

```
$ git push --force origin HEAD~3:main
$ git push origin :main
$ git push origin refs/replace/*
```

## Good

```
$ git push origin main
$ git push origin :merged-branch
```

## Instead

Add a commit that undoes what was wrong: `git revert COMMIT`, or `hoard restore` for a lost fact. Where histories have parted, merge:
`git pull --no-rebase`. A rewritten branch goes up under a new name. To take a leaked value out of history for good, see `hoard purge --plan`; the
owner of the server then moves the ref there.

## Limits

Only commits that no ref would reach any more count, and only when one of them changes memory or a file that steers the gate: rebasing other
work stays free. The main branch has to keep its own: behind a copy it could be set back to old facts and an old policy. The server decides; before a push, what other refs the server has is known from the last fetch.
"""

from __future__ import annotations

from hoard_git.lint.scene import Hit, Meta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.lint.scene import RefChange, Scene

META = Meta("HG706", "ref-not-allowed", "error", "commit")

REPLACE, OWN = "refs/replace/", "refs/hoard/"
KNOWN = ("refs/hoard/undo/",)
"""What hoard-git itself writes below `refs/hoard/`."""


def check_change(scene: Scene) -> Iterator[Hit]:
    """Judge the refs of a push; a change of files has none."""
    for ref in scene.refs:
        for message, hint in _faults(ref):
            yield Hit(message, hint=hint, path=ref.name)


def _faults(ref: RefChange) -> Iterator[tuple[str, str]]:
    if ref.kind and ref.name.startswith(REPLACE):
        yield (
            "a replace ref shows another history than the one that is judged",
            "leave refs/replace/ out of the push; to drop your own: git replace -d",
        )
    if ref.kind and ref.name.startswith(OWN) and not ref.name.startswith(KNOWN):
        yield "no part of hoard-git writes this ref", "push it under another name, such as refs/heads/…"
    if ref.kind not in ("", "commit", "tag"):
        yield f"the ref would name a {ref.kind} and no commit, so nobody can be asked about it", "commit it, and push the commit"
    if ref.newest:
        act = "rewinds" if ref.kind else "deletes"
        many = f"{ref.lost} commit{'s' * (ref.lost != 1)}"
        what = "the main branch" if ref.main else "the ref"
        yield (
            f"the push {act} {what} and loses {many}, memory in {ref.newest[:12]} among them",
            "undo by a commit (git revert), merge (git pull --no-rebase), or push under a new name",
        )
