"""What tests do with pages: read their words, tick their boxes, send their forms."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import NamedTuple

from httpx2 import Response
from starlette.testclient import TestClient

from hoard_git.cli.ui.access import Access

ACCESS = Access.fresh(8377)

_VOID = {"meta", "link", "br", "img", "input", "hr"}


class Form(NamedTuple):
    """A form of a page: where it goes, and its fields as they stand, boxes that are not ticked left out."""

    action: str
    fields: dict[str, list[str]]


class Seen(HTMLParser):
    """A page: its words, links, forms and attributes; every element has to be closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.forms: list[Form] = []
        self.boxes: dict[str, str] = {}
        self._words: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        had = {name: value or "" for name, value in attrs}
        self.attributes += [(tag, name, value) for name, value in had.items()]
        if tag == "form":
            self.forms.append(Form(had["action"], {}))
        if tag == "input" and "name" in had and self.forms and (had.get("type") != "checkbox" or "checked" in had):
            self.forms[-1].fields.setdefault(had["name"], []).append(had.get("value", ""))
        if tag not in _VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self._words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self._words).split())

    @property
    def links(self) -> list[str]:
        return [value for tag, name, value in self.attributes if (tag, name) == ("a", "href")]

    def form(self, action: str) -> Form:
        """The form that goes to an address."""
        (found,) = [form for form in self.forms if form.action == action]
        return found


class Visitor:
    """A browser that has, or has not, used the printed address."""

    def __init__(self, client: TestClient, access: Access) -> None:
        self.client = client
        self.access = access
        self.origin = f"http://127.0.0.1:{access.port}"

    def get(self, place: str) -> Response:
        return self.client.get(place)

    def see(self, place: str, status: int = 200) -> Seen:
        answer = self.client.get(place)
        assert answer.status_code == status, answer.text
        return Seen(answer.text)

    def post(self, form: Form, **headers: str) -> Response:
        return self.client.post(form.action, data=form.fields, headers={"Origin": self.origin, **headers})

    def send(self, form: Form, status: int = 303) -> Seen:
        """Send a form as a browser does, and see the page that it leads to."""
        answer = self.post(form)
        assert answer.status_code == status, answer.text
        return self.see(answer.headers["location"]) if status == 303 else Seen(answer.text)
