"""Who may read and write: the browser with the printed address, and nobody else that can reach 127.0.0.1."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hoard_git.cli.ui.access import Access
from tests.app.consolidating import DAY, hoard
from tests.cli.ui.visiting import ACCESS, Seen, Visitor
from tests.support.repo import Workspace

Visit = Callable[..., Visitor]

PLACES = ("/", "/files", "/file?path=MEMORY.md", "/block?name=Preferences", "/search?q=wiki", "/review", "/review/plan", "/static/page.css")


@pytest.mark.parametrize("place", PLACES)
def test_nothing_is_read_without_the_token(grown: Workspace, visit: Visit, place: str) -> None:
    answer = visit(grown, admitted=False).get(place)
    assert answer.status_code == 403
    assert "Answers are short" not in answer.text
    assert "set-cookie" not in answer.headers


def test_a_wrong_token_a_wrong_cookie_and_another_starts_cookie_open_nothing(grown: Workspace, visit: Visit) -> None:
    visitor = visit(grown, admitted=False)
    assert visitor.get("/?token=wrong").status_code == 403
    assert visitor.get(f"/?token={ACCESS.session}").status_code == 403
    assert visitor.get("/?token=%ff").status_code == 403
    assert visitor.get("/?" + "a&" * 20 + f"token={ACCESS.token}").status_code == 403
    assert visitor.get("/?" + "a" * 1000 + f"&token={ACCESS.token}").status_code == 403
    for cookie in (
        f"{ACCESS.cookie}=wrong",
        f"{ACCESS.cookie}={Access.fresh(8377).session}",
        f"other={ACCESS.session}",
        "=;=",
        ACCESS.session,
    ):
        assert visitor.client.get("/files", headers={"Cookie": cookie}).status_code == 403
    assert visitor.client.get("/files", headers={"Cookie": f"a=b; {ACCESS.cookie}={ACCESS.session}"}).status_code == 200


@pytest.mark.parametrize("other", ['prefs={"theme": "dark"}', "a b=c d", "name=J\xf6rg", "=", "x", "a=b"])
def test_cookies_of_other_programs_on_this_machine_lock_nobody_out(grown: Workspace, visit: Visit, other: str) -> None:
    visitor, own = visit(grown, admitted=False), f"{ACCESS.cookie}={ACCESS.session}"
    for line in (f"{other}; {own}", f"{own}; {other}", f"{ACCESS.cookie}=old; {other};{own}"):
        assert visitor.client.get("/review", headers={b"Cookie": line.encode("latin-1")}).status_code == 200
    assert visitor.client.get("/review", headers={b"Cookie": other.encode("latin-1")}).status_code == 403


def test_the_token_becomes_a_cookie_that_scripts_and_other_sites_do_not_get(grown: Workspace, visit: Visit) -> None:
    answer = visit(grown, admitted=False).get(f"/?token={ACCESS.token}")
    cookie = answer.headers["set-cookie"]
    assert {part.strip() for part in cookie.split(";")} == {f"{ACCESS.cookie}={ACCESS.session}", "HttpOnly", "Path=/", "SameSite=strict"}
    assert ACCESS.token not in answer.text
    assert len({ACCESS.token, ACCESS.session, ACCESS.csrf}) == 3
    assert Access.fresh(8377).token != Access.fresh(8377).token


@pytest.mark.parametrize(
    "host", ["rebound.example", "rebound.example:8377", "127.0.0.1", "127.0.0.1:1", "127.0.0.1:8377.rebound.example", "", "[::1]:8377"]
)
def test_another_name_for_this_machine_is_refused(grown: Workspace, visit: Visit, host: str) -> None:
    visitor = visit(grown)
    answer = visitor.client.get("/files", headers={"Host": host})
    assert (answer.status_code, "MEMORY.md" in answer.text) == (421, False)
    token = visitor.client.get(f"/?token={ACCESS.token}", headers={"Host": host})
    assert (token.status_code, "set-cookie" in token.headers) == (421, False)


def test_localhost_is_this_machine(grown: Workspace, visit: Visit) -> None:
    assert visit(grown).client.get("/files", headers={"Host": "localhost:8377"}).status_code == 200
    assert Access.fresh(80).hosts == ("127.0.0.1:80", "localhost:80", "127.0.0.1", "localhost")


@pytest.mark.parametrize("place", [*PLACES, "/nowhere", "/?token=TOKEN"])
def test_every_answer_forbids_caches_frames_and_foreign_content(grown: Workspace, visit: Visit, place: str) -> None:
    headers = visit(grown).get(place.replace("TOKEN", ACCESS.token)).headers
    policy = {part.split()[0]: part.split()[1:] for part in headers["content-security-policy"].split("; ")}
    assert policy["default-src"] == ["'none'"]
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == policy["form-action"] == ["'self'"]
    assert policy["frame-ancestors"] == policy["base-uri"] == ["'none'"]
    assert headers["cache-control"] == "no-store"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"


def test_no_page_holds_a_script_or_loads_from_elsewhere(grown: Workspace, visit: Visit) -> None:
    visitor = visit(grown)
    for place in (place for place in PLACES if "static" not in place):
        page = visitor.see(place)
        assert [value for tag, name, value in page.attributes if tag == "script"] == ["/static/ui.js", ""]
        assert not [name for _tag, name, _value in page.attributes if name.startswith("on")]
        for _tag, name, value in page.attributes:
            if name in ("src", "href", "action"):
                assert value.startswith(("/", "#")), value
                assert not value.startswith("//")


def drop_form(grown: Workspace, visitor: Visitor) -> tuple[Seen, str]:
    hoard(grown)
    page = visitor.see(f"/review/proposal?name=hoard/consolidate/{DAY}")
    return page, grown.head(f"hoard/consolidate/{DAY}")


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:9999"},
        {"Origin": "https://127.0.0.1:8377"},
        {"Origin": "http://localhost:8377"},
        {"Origin": ""},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "cross-site"},
    ],
)
def test_a_write_from_another_page_is_refused(grown: Workspace, visit: Visit, headers: dict[str, str]) -> None:
    visitor = visit(grown)
    page, tip = drop_form(grown, visitor)
    assert visitor.post(page.form("/review/drop"), **headers).status_code == 403
    assert grown.head(f"hoard/consolidate/{DAY}") == tip


def test_a_write_needs_an_origin_the_cookie_and_the_forms_own_value(grown: Workspace, visit: Visit) -> None:
    visitor = visit(grown)
    page, tip = drop_form(grown, visitor)
    form = page.form("/review/drop")
    assert visitor.client.post(form.action, data=form.fields).status_code == 403
    stranger = visit(grown, admitted=False)
    assert stranger.post(form).status_code == 403
    for csrf in ([], [""], ["wrong"], [ACCESS.session], [ACCESS.token]):
        answer = visitor.post(form._replace(fields={**form.fields, "csrf": csrf}))
        assert (answer.status_code, "not one of this server" in answer.text) == (400, True)
    assert visitor.get("/review/drop?name=x").status_code == 405
    assert visitor.client.put("/review/drop", headers={"Origin": visitor.origin}).status_code == 405
    assert grown.head(f"hoard/consolidate/{DAY}") == tip


def test_a_form_without_end_is_not_read_to_its_end(grown: Workspace, visit: Visit) -> None:
    visitor = visit(grown)
    answer = visitor.client.post("/review/drop", content=b"a=" + b"x" * (2 << 20), headers={"Origin": visitor.origin})
    assert (answer.status_code, "too long" in answer.text) == (413, True)
    many = visitor.client.post("/review/drop", content=b"&".join([b"a=1"] * 30_000), headers={"Origin": visitor.origin})
    assert (many.status_code, "too many fields" in many.text) == (400, True)
