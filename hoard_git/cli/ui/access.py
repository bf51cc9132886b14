"""Who may ask: only a browser on this machine that was given the address with this start's token, and only for pages that are its own.

Any web page can make a browser send requests to 127.0.0.1, and a name that it owns can be made to point there (DNS rebinding). So the Host header
must be ours, the session is a cookie that no other site's request carries, and a write must come from our own page as well. Cookies do not know
ports; this one's name has the port in it, so that two workspaces do not sign each other out.
"""

from __future__ import annotations

from hmac import compare_digest
from secrets import token_urlsafe
from urllib.parse import parse_qs

from starlette.responses import HTMLResponse, PlainTextResponse, Response

from hoard_git.core.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

HOST = "127.0.0.1"

_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self'; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "same-origin",  # with no-referrer a browser sends `Origin: null` with our own forms
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
"""On every answer. Lengths in the overview's bars are style attributes, which hold numbers alone."""

_LONGEST_QUERY = 1000
_DENIED = (
    "This page is open only to the browser that was given the whole address, token and all: copy it from the terminal that runs hoard ui.\n"
)

_WELCOME = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Memory</title>
<link rel="icon" href="/static/icon.svg"><meta http-equiv="refresh" content="0; url=/"></head>
<body><p><a href="/">Open the memory of this workspace</a></p></body></html>
"""
"""No redirect: a browser would follow one without the new cookie when the address was clicked in another site's page."""


class Access(Record):
    """The secrets of one start, each 256 bits: `token` in the address, `session` in the cookie, `csrf` in every form that writes."""

    port: int
    token: str
    session: str
    csrf: str

    @classmethod
    def fresh(cls, port: int) -> Access:
        """New ones for a server on a port."""
        return cls(port, token_urlsafe(32), token_urlsafe(32), token_urlsafe(32))

    @property
    def address(self) -> str:
        """What the user opens."""
        return f"http://{HOST}:{self.port}/?token={self.token}"

    @property
    def hosts(self) -> tuple[str, ...]:
        """What the Host header may say; a browser leaves out port 80."""
        names = (HOST, "localhost")
        return tuple(f"{name}:{self.port}" for name in names) + (names if self.port == 80 else ())

    @property
    def cookie(self) -> str:
        """The cookie's name."""
        return f"hoard-ui-{self.port}"


class Guard:
    """Lets a request through to the pages, or answers it; puts the headers on every answer."""

    def __init__(self, pages: ASGIApp, access: Access) -> None:
        """`pages` see only requests that passed."""
        self._pages = pages
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":  # a websocket is never accepted
            if scope["type"] == "lifespan":
                await self._pages(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *((name.encode(), value.encode()) for name, value in _HEADERS.items())]
            await send(message)

        answer = self._answer(scope)
        await (answer if answer is not None else self._pages)(scope, receive, send_with_headers)

    def _answer(self, scope: Scope) -> Response | None:
        """What to say instead of a page; None lets the request through."""
        headers: dict[bytes, list[bytes]] = {}
        for name, value in scope["headers"]:
            headers.setdefault(name.lower(), []).append(value)
        hosts = headers.get(b"host", [])
        host = hosts[0].decode("latin-1") if len(hosts) == 1 else ""
        if host not in self._access.hosts:
            return PlainTextResponse(f"This server answers to http://{HOST}:{self._access.port} and to no other name.\n", 421)
        if scope["path"] == "/" and scope["method"] in ("GET", "HEAD"):
            token = _token(scope["query_string"])
            if token is not None:
                return self._admit(token)
        if not self._has_session(headers.get(b"cookie", [])):
            return PlainTextResponse(_DENIED, 403)
        if scope["method"] not in ("GET", "HEAD") and not self._is_own(host, headers):
            return PlainTextResponse("A change has to come from a page of this server.\n", 403)
        return None

    def _admit(self, token: str) -> Response:
        if not _same(token, self._access.token):
            return PlainTextResponse(_DENIED, 403)
        answer = HTMLResponse(_WELCOME)
        answer.set_cookie(self._access.cookie, self._access.session, path="/", httponly=True, samesite="strict")
        return answer

    def _has_session(self, cookies: list[bytes]) -> bool:
        """Whether our cookie is among those of this machine; the others may be of any form, and http.cookies reads none beside a broken one."""
        pairs = (part.strip().partition("=") for line in cookies for part in line.decode("latin-1").split(";"))
        return any(name == self._access.cookie and _same(value, self._access.session) for name, _, value in pairs)

    @staticmethod
    def _is_own(host: str, headers: dict[bytes, list[bytes]]) -> bool:
        """Whether a write comes from our own page: browsers tell the origin with every POST, and newer ones whether it is the same site's."""
        origin = headers.get(b"origin", [])
        site = headers.get(b"sec-fetch-site", [b"same-origin"])
        return origin == [f"http://{host}".encode("latin-1")] and site == [b"same-origin"]


def _token(query: bytes) -> str | None:
    """The token in an address, None when there is none."""
    if len(query) > _LONGEST_QUERY or b"token=" not in query:
        return None
    try:
        return parse_qs(query.decode("latin-1"), max_num_fields=10).get("token", [""])[0]
    except ValueError:  # too many fields
        return ""


def _same(given: str, wanted: str) -> bool:
    return compare_digest(given.encode("utf-8", "replace"), wanted.encode())
