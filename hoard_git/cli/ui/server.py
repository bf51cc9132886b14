"""The server of `hoard ui`: a socket on 127.0.0.1, the address on standard output, and pages until Ctrl-C."""

# ruff: noqa: PTH108 -- paths stay text, as elsewhere in this layer

from __future__ import annotations

import contextlib
import os
import socket
import sys
import tempfile

import click
import uvicorn

from hoard_git.cli.ui.access import HOST, Access
from hoard_git.cli.ui.pages import make_pages
from hoard_git.errors import HoardError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.cli.context import Context

_IDLE = 120
"""Seconds that an idle connection is kept: one that is closed just when the browser uses it again is an error to the person who looks."""

_PATIENCE = 3
"""Seconds that a page under way is waited for at the end."""


def serve(context: Context, port: int, *, opens: bool) -> None:
    """Serve until interrupted. Raises HoardError when the port cannot be had, KeyboardInterrupt when Ctrl-C ended it."""
    with contextlib.closing(_listen(port)) as listener:
        access = Access.fresh(listener.getsockname()[1])
        config = uvicorn.Config(
            make_pages(context, access),
            log_config=None,  # a log would hold addresses, and the token with them
            log_level="critical",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            lifespan="off",
            ws="none",
            http="h11",
            loop="asyncio",
            timeout_keep_alive=_IDLE,
            timeout_graceful_shutdown=_PATIENCE,
        )
        click.echo(access.address)
        context.note(
            "hoard: open this address in a browser on this machine; end with Ctrl-C. Whoever has it can read the memory and change it."
        )
        sys.stdout.flush()
        with _opened(access.address) if opens and has_display() else contextlib.nullcontext():
            uvicorn.Server(config).run(sockets=[listener])


def _listen(port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((HOST, port))
        listener.listen(64)
    except OSError as error:
        listener.close()
        raise HoardError(
            f"Port {port} of {HOST} cannot be had: {(error.strerror or 'no reason given').lower()}.", "hoard ui --port 0"
        ) from None
    return listener


def has_display() -> bool:
    """Whether a browser can show itself here: over SSH, in a container or from cron there is nothing to open it on."""
    return sys.platform == "darwin" or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


@contextlib.contextmanager
def _opened(address: str) -> Iterator[None]:
    """Open the browser on a file that only this user can read and that leads to the address: a program's arguments are everybody's to see."""
    import webbrowser

    handle, path = tempfile.mkstemp(prefix="hoard-ui-", suffix=".html")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(
                f'<!DOCTYPE html><meta charset="utf-8"><title>Memory</title><meta http-equiv="refresh" content="0; url={address}">\n'
            )
        with contextlib.suppress(webbrowser.Error):
            webbrowser.open("file://" + path)
        yield
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)
