"""The one error that a user is meant to read."""

from __future__ import annotations


class HoardError(Exception):
    """A problem in plain words, and the next command.

    `message` is one sentence that says what could not be done and why; `hint` is what to do next (a command where there is one).
    `exit_status` is 2 for usage, repository, policy and "cannot verify" problems, as INTERFACE promises.
    Neither text ever holds a secret value.
    """

    exit_status = 2

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
