"""The pages of `hoard ui` as an ASGI application: which function answers which address, and how errors look.

One request is worked on at a time: it reads and writes one repository, and some of what it uses (the time zone of the C library) is the process's.
Plans, which take long, are made ahead in processes of their own.
"""

from __future__ import annotations

from functools import partial
from hmac import compare_digest

import anyio
import anyio.to_thread
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from hoard_git.app.review import Changed, Moved
from hoard_git.cli.context import Context
from hoard_git.cli.crash import write_crash
from hoard_git.cli.render.html import read_asset
from hoard_git.cli.ui import block, files, find, overview, review
from hoard_git.cli.ui.access import Guard
from hoard_git.cli.ui.ahead import work_ahead
from hoard_git.cli.ui.asking import LONGEST_FORM, Asked, Desk, Goto, parse_fields
from hoard_git.cli.ui.showing import error_page, render
from hoard_git.errors import HoardError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.requests import Request
    from starlette.types import ASGIApp

    from hoard_git.cli.ui.access import Access
    from hoard_git.cli.ui.asking import Page

    Work = Callable[[Asked], "Page | Goto"]
    Endpoint = Callable[[Request], Awaitable[Response]]

_READS: dict[str, Work] = {
    "/": overview.show,
    "/files": files.show_files,
    "/file": files.show_file,
    "/block": block.show,
    "/search": find.show,
    "/review": review.show_proposals,
    "/review/plan": review.show_plan,
    "/review/proposal": review.show_proposal,
    "/review/done": review.show_done,
}
_WRITES: dict[str, Work] = {"/review/apply": review.apply_accepted, "/review/drop": review.drop_proposal}
_AHEAD: dict[str, Callable[[Asked], object]] = {"/review/plan": review.plan_ahead, "/review/proposal": review.replan_ahead}
_ASSETS = {"page.css": "text/css", "ui.css": "text/css", "ui.js": "text/javascript", "icon.svg": "image/svg+xml"}


def make_pages(context: Context, access: Access) -> ASGIApp:
    """The application for one workspace, behind its guard."""
    office = _Office(context, access)
    routes = [Route(path, office.endpoint(work, path), methods=["GET"]) for path, work in _READS.items()]
    routes += [Route(path, office.endpoint(work, path), methods=["POST"]) for path, work in _WRITES.items()]
    routes += [Route(f"/static/{name}", _asset(name, kind), methods=["GET"]) for name, kind in _ASSETS.items()]
    # Browsers ask for this one where no page has named its icon.
    routes.append(Route("/favicon.ico", _asset("icon.svg", _ASSETS["icon.svg"]), methods=["GET"]))
    app = Starlette(routes=routes, exception_handlers={HTTPException: office.unknown})
    app.router.redirect_slashes = False
    return Guard(app, access)


class _Office:
    """Takes requests to the functions that work on them, one at a time."""

    def __init__(self, context: Context, access: Access) -> None:
        self._context = context
        self._access = access
        self._desk = Desk()
        self._turn: anyio.CapacityLimiter | None = None
        self._long: anyio.CapacityLimiter | None = None

    def endpoint(self, work: Work, path: str) -> Endpoint:
        async def answer(request: Request) -> Response:
            try:
                form = await self._read_form(request) if request.method == "POST" else b""
            except HoardError as error:
                return self._as_error(error, 413)
            if self._turn is None or self._long is None:  # made here, for they belong to the running loop
                self._turn, self._long = anyio.CapacityLimiter(1), anyio.CapacityLimiter(1)
            ahead = None
            if path in _AHEAD:
                try:
                    async with self._long:
                        ahead = await work_ahead(partial(self._prepare, path, request), self._turn)
                except HoardError as error:
                    return await anyio.to_thread.run_sync(self._as_error, error, 400, limiter=self._turn)
            return await anyio.to_thread.run_sync(partial(self._work, work, path, request, form, ahead), limiter=self._turn)

        return answer

    def _prepare(self, path: str, request: Request) -> object:
        return _AHEAD[path](Asked(self._look(), parse_fields(request.scope["query_string"]), {}, Desk()))

    def _look(self) -> Context:
        return Context(self._context.directory, self._context.date, color=False, quiet=True)

    @staticmethod
    async def _read_form(request: Request) -> bytes:
        whole = b""
        async for part in request.stream():
            whole += part
            if len(whole) > LONGEST_FORM:
                raise HoardError("The form is too long.", "Accept less at once.")
        return whole

    def _work(self, work: Work, path: str, request: Request, raw: bytes, ahead: object) -> Response:
        try:
            form = parse_fields(raw)
            if request.method == "POST":
                self._require_own(form.get("csrf", [""])[0])
            done = work(Asked(self._look(), parse_fields(request.scope["query_string"]), form, self._desk, ahead))
            if isinstance(done, Goto):
                return RedirectResponse(done.place, 303)
            return HTMLResponse(render(done, self._access.csrf, self._desk, self._name()), done.status)
        except HoardError as error:
            return self._as_error(error, 409 if isinstance(error, Moved | Changed) else 400)
        except Exception as error:  # noqa: BLE001 - the one place where a traceback would reach the browser
            report = write_crash(f"ui {path}", error, self._context.directory)
            return self._as_error(HoardError("This is a fault in hoard itself.", f"Please report it with {report}"), 500)

    def _require_own(self, csrf: str) -> None:
        if not compare_digest(csrf.encode("utf-8", "replace"), self._access.csrf.encode()):
            raise HoardError("The form is not one of this server.", "Open the page again, and send its form.")

    def _as_error(self, error: HoardError, status: int) -> Response:
        return HTMLResponse(render(error_page(error, status), self._access.csrf, self._desk, self._name()), status)

    async def unknown(self, request: Request, error: Exception) -> Response:
        """An address that leads nowhere, or one that is only written to."""
        del request
        status = error.status_code if isinstance(error, HTTPException) else 500
        return await run_in_threadpool(self._as_error, HoardError("There is no such page.", "Choose one above."), status)

    def _name(self) -> str:
        return overview.name_of(self._context)


def _asset(name: str, kind: str) -> Endpoint:
    async def answer(request: Request) -> Response:
        del request
        return PlainTextResponse(await run_in_threadpool(read_asset, f"ui/{name}" if name != "page.css" else name), media_type=kind)

    return answer
