"""The spellings of "fetch and run" in shells, PowerShell, Python and pip, as one pattern."""

from __future__ import annotations

import re

_FETCH = r"(?<![\w.-])(?:curl|wget|aria2c|fetch(?=\s+(?:-|https?:))|https?(?=\s+(?:get\s|-)))\b"
_URL = r"[^\n|;&]{0,300}?(?:\w[./:]{1,3}\w|\$\{?\w)"  # an address; without one, `curl | sh` only names the habit
_WRAP = r"(?:(?:sudo|doas|env|nohup|exec|command|time)\s+(?:-\S{1,20}\s+|[A-Z_]{1,30}=\S{0,60}\s+){0,4}){0,3}"
_SHELL = r"(?:/(?:usr/)?(?:local/)?bin/(?:env\s+)?)?(?:ba|z|da|k|fi|c|tc|a)?sh(?![\w.=-]|\s*:)"
_RUNNER = rf"(?:{_SHELL}|(?:/usr/bin/(?:env\s+)?)?(?:python[0-9.]{{0,4}}|perl|ruby|node|php|deno|bun|osascript|pwsh|powershell)(?![\w.=-])|source\s+/dev/stdin|xargs\s+(?:-\S+\s+){{0,4}}(?:ba|z)?sh\b)"
_PS_FETCH = (
    r"(?<![\w-])(?:iwr|irm|curl|wget|invoke-webrequest|invoke-restmethod|downloadstring|\(?new-object\s+(?:system\.)?net\.webclient)\b"
)
_IEX = r"(?<![\w-])(?:iex|invoke-expression)\b"

_SPELLINGS = (
    rf"{_FETCH}{_URL}[^\n]{{0,400}}?\|\s*{_WRAP}{_RUNNER}",
    rf"{_FETCH}{_URL}[^\n]{{0,400}}?(?:&&|;)\s*{_WRAP}(?:{_SHELL}\s+(?:-\S{{1,10}}\s+)?[\w./~$-]{{1,100}}|chmod\s+(?:\+x|a\+x|u\+x|[0-7]{{3,4}})\s+[^\n]{{1,100}}?(?:&&|;)\s*{_WRAP}\.?/|source\s+\S|\.\s+[./~]|\./\S|python[0-9.]{{0,4}}\s+[\w./~-]{{1,100}}\.py)",
    rf"(?:{_SHELL}|source|\.|python[0-9.]{{0,4}}|perl|ruby|node)\s+(?:-\S{{1,10}}\s+){{0,3}}<\(\s*{_FETCH}",
    rf"(?:\beval|{_SHELL}\s+(?:-\S{{1,10}}\s+){{0,3}}-?c|\bpython[0-9.]{{0,4}}\s+-c|\bperl\s+-e|\bnode\s+-e|\bruby\s+-e|\bexec)\s*[\"'(]{{0,3}}\s*(?:\$\(|`)\s*{_FETCH}",
    rf"{_PS_FETCH}[^\n]{{0,400}}?\|\s*{_IEX}",
    rf"{_IEX}[^\n]{{0,60}}?{_PS_FETCH}",
    r"\bexec\s*\(\s*[^\n]{0,80}?(?:urlopen|requests\.get|httpx\.get|urllib)",
    r"\b(?:urlopen|requests\.get|httpx\.get)\([^\n]{0,200}?\b(?:exec|eval)\(",
    r"\bpip[0-9.]{0,4}\s+install\s+(?:-[^\s\-i]\S{0,30}\s+|--(?!index-url|extra-index-url|find-links|trusted-host|proxy)\S{1,40}\s+|(?!-)[\w.\[\]=<>~!-]{1,60}\s+|@\s+){0,6}[\"']?(?:[\w.-]{1,60}\s?@\s?)?https?://",
)


def compile_fetch_and_run() -> re.Pattern[str]:
    """Compile the pattern; every part is bounded, so that a long line stays linear."""
    return re.compile("|".join(f"(?:{part})" for part in _SPELLINGS), re.IGNORECASE | re.ASCII)
