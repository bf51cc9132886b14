"""A real browser for tests: headless Chromium, spoken to over its DevTools pipe, which needs no further package."""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")

_PATIENCE = 60.0
_FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage", "--hide-scrollbars")


class Browser:
    """One tab. Leave it by `with`; every wait ends after a minute with AssertionError."""

    def __init__(self, profile: Path) -> None:
        assert PROGRAM is not None
        theirs_in, ours_out = os.pipe()
        ours_in, theirs_out = os.pipe()
        # Chromium reads commands from descriptor 3 and writes answers to 4; a shell puts the pipes there, whatever wrapper starts it.
        command = f'exec "$0" "$@" 3<&{theirs_in} 4>&{theirs_out}'
        self._process = subprocess.Popen(
            ["bash", "-c", command, PROGRAM, *_FLAGS, "--remote-debugging-pipe", f"--user-data-dir={profile}", "about:blank"],
            pass_fds=(theirs_in, theirs_out),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        os.close(theirs_in)
        os.close(theirs_out)
        self._out = os.fdopen(ours_out, "wb", buffering=0)
        self._in = ours_in
        self._buffer = b""
        self._count = 0
        self._session = ""
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.send(f"{domain}.enable")
        self.problems: list[str] = []
        """What the page complained about: scripts that failed, resources that were refused."""
        self.asked: list[str] = []
        """Every address that was asked for."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._out.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, 9)
            self._process.wait(10)
        os.close(self._in)

    def send(self, method: str, **params: Any) -> dict[str, Any]:
        """Send one command of the DevTools protocol and return its result."""
        self._count += 1
        message = {"id": self._count, "method": method, "params": params, **({"sessionId": self._session} if self._session else {})}
        self._out.write(json.dumps(message).encode() + b"\0")
        end = time.monotonic() + _PATIENCE
        while time.monotonic() < end:
            answer = self._receive()
            if answer.get("id") == self._count:
                assert "error" not in answer, f"{method}: {answer['error']}"
                result: dict[str, Any] = answer["result"]
                return result
            self._note(answer)
        message_text = f"{method} was not answered"
        raise AssertionError(message_text)

    def _receive(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._in], [], [], _PATIENCE)
            assert ready, "the browser says nothing any more"
            part = os.read(self._in, 1 << 20)
            assert part, "the browser has gone"
            self._buffer += part
        line, _, self._buffer = self._buffer.partition(b"\0")
        found: dict[str, Any] = json.loads(line)
        return found

    def _note(self, event: Mapping[str, Any]) -> None:
        params = event.get("params", {})
        if event.get("method") == "Network.requestWillBeSent":
            self.asked.append(params["request"]["url"])
        elif event.get("method") == "Runtime.exceptionThrown":
            self.problems.append(params["exceptionDetails"].get("text", "") + json.dumps(params["exceptionDetails"].get("exception", {})))
        elif event.get("method") == "Log.entryAdded" and params["entry"]["level"] == "error":
            self.problems.append(f"{params['entry']['text']} {params['entry'].get('url', '')}")

    # ---------------------------------------------------------------- a person's doings

    def run(self, script: str) -> Any:
        """The value of a JavaScript expression in the page."""
        found = self.send("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def until(self, script: str) -> Any:
        """Ask again and again until an expression is true, and return its value; a page on its way to another one has none."""
        end = time.monotonic() + _PATIENCE
        while time.monotonic() < end:
            found = self.send("Runtime.evaluate", expression=script, returnByValue=True)
            if "exceptionDetails" not in found and found["result"].get("value"):
                return found["result"]["value"]
            time.sleep(0.05)
        message = f"never true: {script}"
        raise AssertionError(message)

    def open(self, address: str) -> None:
        """Open an address and wait until it and what it loads are there."""
        self.run("window.left = true")
        found = self.send("Page.navigate", url=address)
        assert not found.get("errorText"), found
        self.until("!window.left && document.readyState === 'complete'")

    def click(self, selector: str, *, leaves: bool = False) -> None:
        """Click the first element that fits; `leaves` waits for the next page."""
        if leaves:
            self.run("window.left = true")
        self.run(f"document.querySelector({json.dumps(selector)}).click()")
        if leaves:
            self.until("!window.left && document.readyState === 'complete'")

    def press(self, key: str) -> None:
        """Press and release one key."""
        codes = {"Tab": 9, "ArrowDown": 40, "ArrowUp": 38, "Enter": 13}
        for kind in ("keyDown", "keyUp"):
            extra = {"text": "\r"} if key == "Enter" and kind == "keyDown" else {}
            self.send("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=codes[key], **extra)

    def hover(self, selector: str) -> None:
        """Move the mouse over the first element that fits."""
        x, y = self.run(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)}); e.scrollIntoView({{block: 'center'}});"
            "const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2] })()"
        )
        self.send("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def resize(self, width: int, height: int = 900, *, dark: bool = False) -> None:
        """Show the page on a screen of this many CSS pixels, in light or dark."""
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        self.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def screenshot(self, path: Path, *, tallest: int = 1800) -> None:
        """Write a PNG of the page from its top."""
        size = self.send("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], tallest), "scale": 1}
        shot = self.send("Page.captureScreenshot", format="png", clip=clip, captureBeyondViewport=True)
        path.write_bytes(base64.b64decode(shot["data"]))
