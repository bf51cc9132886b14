"""The pages in a real browser: what a person sees, points at, types and clicks, with and without script, and what another site cannot do."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.app.consolidating import DAY, hoard
from tests.cli.ui.running import Running, running
from tests.support.browser import PROGRAM, Browser
from tests.support.repo import Workspace

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="chromium is not installed")

NOTE = "getComputedStyle(document.querySelector('.run:nth-child({}) .told')).opacity"
COUNT = "document.querySelector('#count').textContent"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with Browser(tmp_path_factory.mktemp("profile")) as found:
        yield found


@pytest.fixture
def server(grown: Workspace, browser: Browser) -> Iterator[Running]:
    """A server whose printed address the browser has just opened."""
    browser.problems.clear()
    browser.asked.clear()
    browser.send("Emulation.setScriptExecutionDisabled", value=False)
    browser.resize(1200)
    with running(grown) as found:
        browser.open(found.address)
        browser.until("location.search === '' && document.title.startsWith('Overview') && document.readyState === 'complete'")
        yield found


def at(server: Running, place: str) -> str:
    return f"http://127.0.0.1:{server.port}{place}"


def test_every_page_fits_loads_nothing_from_elsewhere_and_complains_of_nothing(server: Running, browser: Browser, grown: Workspace) -> None:
    hoard(grown)
    proposal = f"/review/proposal?name=hoard/consolidate/{DAY}"
    for place in ("/", "/files", "/file?path=MEMORY.md", "/block?name=Web", "/search?q=wiki", "/review", "/review/plan", proposal):
        for width in (390, 1200):
            browser.resize(width, dark=width == 390)
            browser.open(at(server, place))
            assert browser.run("document.documentElement.scrollWidth <= innerWidth"), (place, width)
            assert browser.run("getComputedStyle(document.querySelector('.masthead')).display") == "flex"  # the style sheet was let in
    assert browser.problems == []
    assert {address for address in browser.asked if not address.startswith(at(server, "/"))} <= {"about:blank"}
    assert browser.run("document.cookie") == ""


def test_a_line_is_told_by_mouse_and_by_keyboard(server: Running, browser: Browser) -> None:
    browser.open(at(server, "/file?path=MEMORY.md"))
    assert browser.run(NOTE.format(2)) == "0"
    browser.hover(".run:nth-child(2)")
    assert browser.run(NOTE.format(2)) == "1"
    assert browser.run(NOTE.format(3)) == "0"
    browser.run("document.querySelector('.run').focus()")
    browser.press("ArrowDown")
    browser.press("ArrowDown")
    assert browser.run("[...document.querySelectorAll('.run')].indexOf(document.activeElement)") == 2
    assert browser.run(NOTE.format(3)) == "1"
    browser.press("Tab")
    assert browser.run("document.activeElement.textContent") == "History of MEMORY.md#preferences"
    assert browser.run(NOTE.format(3)) == "1"
    browser.run("document.querySelector('#all').click()")
    assert browser.run("[...document.querySelectorAll('.told')].every(e => getComputedStyle(e).opacity === '1')")


def test_an_address_with_a_line_shows_that_line_with_its_note(server: Running, browser: Browser) -> None:
    browser.open(at(server, "/file?path=MEMORY.md#L9"))
    assert browser.run("document.querySelector(':target').textContent") == "- Node-2 serves the wiki.\n"
    assert browser.run("getComputedStyle(document.querySelector('.run:has(:target) .told')).opacity") == "1"


def test_search_answers_in_place_and_says_so_to_a_screen_reader(server: Running, browser: Browser) -> None:
    browser.open(at(server, "/search"))
    browser.run("window.same = true; document.querySelector('#q').value = 'backups'; document.querySelector('#q').focus()")
    browser.press("Enter")
    assert browser.until("document.querySelector('#status').textContent === '1 entry' && document.querySelector('.hits').innerText")
    assert browser.run("window.same") is True
    assert browser.run("document.querySelector('#status').getAttribute('aria-live')") == "polite"
    assert browser.run("location.search") == "?q=backups&src="
    browser.run("document.querySelector('#q').value = '!!!'")
    browser.press("Enter")
    assert browser.until("document.querySelector('[role=alert]')?.innerText.includes('holds no word')")


def test_a_consolidation_is_reviewed_and_a_part_of_it_applied(server: Running, browser: Browser, grown: Workspace) -> None:
    base = grown.head()
    browser.open(at(server, "/review"))
    browser.click("form[action='/review/plan'] button", leaves=True)
    assert browser.run(COUNT) == "2 of 2 accepted"
    browser.click("input[name=accept]")
    assert browser.run(COUNT) == "1 of 2 accepted"
    assert "(dropped)" in browser.run("getComputedStyle(document.querySelector('.choice strong'), '::after').content")
    browser.click(".action:has(input:checked) summary")
    assert "hoard:archived from:MEMORY.md#infrastructure" in browser.run("document.querySelector('details[open] .after').innerText")
    browser.click("form[data-count] button:not(.small)", leaves=True)
    assert "Committed 1 action; 1 dropped." in browser.run("document.querySelector('[role=status]').innerText")
    assert grown.head("HEAD^") == base
    assert f"# Archive {DAY}" in grown.read(f"memory/archive/{DAY}.md")
    assert "\u26a0" not in grown.read("MEMORY.md")


def test_reading_and_writing_work_without_script(server: Running, browser: Browser, grown: Workspace) -> None:
    browser.send("Emulation.setScriptExecutionDisabled", value=True)
    browser.open(at(server, "/file?path=MEMORY.md"))
    browser.hover(".run:nth-child(2)")
    assert browser.run(NOTE.format(2)) == "1"
    browser.open(at(server, "/search?q=backups"))
    assert "Backups run at 03:30." in browser.run("document.querySelector('.hits').innerText")
    browser.open(at(server, "/review/plan"))
    browser.click("form[data-count] button", leaves=True)
    assert "Committed 2 actions." in browser.run("document.querySelector('[role=status]').innerText")
    assert grown.message().startswith(f"Consolidate memory {DAY}: 1 marked stale, 1 archived")


def test_what_memory_says_is_not_run(server: Running, browser: Browser, grown: Workspace) -> None:
    evil = '</pre><script>window.hit = 1</script><img src=x onerror="window.hit = 1"><svg onload="window.hit = 1">'
    grown.commit("Write\n", {"MEMORY.md": grown.read("MEMORY.md") + f"\n## N {evil} <!-- src:agent ts:2026-12-20 -->\n\n- zebra {evil}\n"})
    for place in ("/", "/file?path=MEMORY.md", "/search?q=zebra", "/search?q=%3Cimg%20src=x%20onerror=%22window.hit=1%22%3E+zebra"):
        browser.open(at(server, place))
        assert browser.run("[window.hit, document.querySelectorAll('img, pre svg, pre script').length]") == [None, 0]
    assert browser.problems == []


@contextmanager
def other_site(page: str) -> Iterator[str]:
    """Somebody else's page on this machine, at another port: the same site to a browser, whose cookies do not know ports."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(page.encode())

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's word
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as site:
        threading.Thread(target=site.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{site.server_port}/"
        site.shutdown()


def test_another_page_on_this_machine_can_neither_write_nor_read(server: Running, browser: Browser, grown: Workspace) -> None:
    hoard(grown)
    tip = grown.head(f"hoard/consolidate/{DAY}")
    form = f'<form method=post action="{at(server, "/review/drop")}"><input name=name value="hoard/consolidate/{DAY}"><input name=commit value={tip}></form>'
    with other_site(f"<title>other</title>{form}") as address:
        browser.open(address)
        fetched = f"fetch('{at(server, '/files')}', {{credentials: 'include'}}).then(a => a.text(), () => 'refused')"
        assert browser.run(fetched) == "refused"
        framed = f"new Promise(done => {{ const f = document.createElement('iframe'); f.src = '{at(server, '/files')}'; f.onload = () => {{ try {{ done(f.contentDocument.title) }} catch {{ done('refused') }} }}; document.body.append(f) }})"
        assert browser.run(framed) != "Files · workspace"
        browser.run("window.left = true; document.querySelector('form').submit()")
        browser.until("!window.left && document.readyState === 'complete'")
        assert "A change has to come from a page of this server." in browser.run("document.body.innerText")
    assert grown.head(f"hoard/consolidate/{DAY}") == tip


def test_a_browser_without_the_printed_address_sees_nothing(server: Running, tmp_path: Path) -> None:
    with Browser(tmp_path / "stranger") as stranger:
        stranger.open(at(server, "/files"))
        assert "open only to the browser that was given the whole address" in stranger.run("document.body.innerText")
