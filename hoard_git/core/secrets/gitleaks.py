"""Read a user's `.gitleaks.toml` into a rule set; not on the hot path.

Go's RE2 syntax is translated to Python's. What cannot be translated faithfully, or could take exponential time in a backtracking engine, is
refused by name: a rule that silently never matches is worse than an error. Differences that stay: matching is line by line, `^` and `$` are
the edges of a line, and the built-in rules of this package stay on unless the file says `useDefault = false`.
"""

from __future__ import annotations

import re
import tomllib
from re import _parser as sre  # type: ignore[attr-defined]  # the only way to see a regex's structure

from hoard_git.core.secrets.vendors import Ruleset, compiled
from hoard_git.errors import HoardError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hoard_git.core.secrets.vendors import Row

    Allow = tuple[tuple[str, ...], str, tuple[str, ...], tuple[str, ...], bool]


class RulesError(HoardError):
    """A configuration that cannot be used; `line` is the 1-based line that says so, 0 when it is unknown."""

    line: int = 0


_TOP = {"title", "description", "minVersion", "extend", "rules", "allowlist", "allowlists"}
_EXTEND = {"useDefault", "disabledRules", "path", "url"}
_RULE = {"id", "description", "regex", "secretGroup", "entropy", "keywords", "path", "tags", "allowlist", "allowlists", "skipReport"}
_ALLOW = {"id", "description", "condition", "commits", "paths", "regexTarget", "regexes", "stopwords", "targetRules"}
_POSIX = {
    "alnum": "0-9A-Za-z", "alpha": "A-Za-z", "ascii": r"\x00-\x7f", "blank": r"\t ", "cntrl": r"\x00-\x1f\x7f", "digit": "0-9", "graph": "!-~",
    "lower": "a-z", "print": " -~", "punct": r"!-/:-@\[-`{-~", "space": r"\t\n\v\f\r ", "upper": "A-Z", "word": r"0-9A-Za-z_", "xdigit": "0-9A-Fa-f",
}  # fmt: skip

# gitleaks' names of rules that have another name here, for disabledRules and targetRules. Its `generic-api-key` has no counterpart: it is the
# rule that people switch off most, for its noise (gitleaks#1219), and must not take the reading of sentences with it.
ALIASES: dict[str, tuple[str, ...]] = {
    "github-app-token": ("github-ghu", "github-ghs"), "github-oauth": ("github-gho",), "github-pat": ("github-ghp",), "github-refresh-token": ("github-ghr",),
    "github-fine-grained-pat": ("github-fine-grained",), "aws-access-token": ("aws-access-key", "aws-secret-key"),
    "openai-api-key": ("openai-legacy", "openai-project"), "npm-access-token": ("npm-token",), "pypi-upload-token": ("pypi-token",), "slack-webhook-url": ("slack-webhook",),
    "stripe-access-token": ("stripe-secret", "stripe-test"), "huggingface-access-token": ("huggingface-token",), "hashicorp-tf-api-token": ("terraform-cloud-token",),
    "sendgrid-api-token": ("sendgrid-key",), "curl-auth-user": ("curl-user",), "curl-auth-header": ("auth-bearer", "auth-token-header", "auth-basic", "api-key-header"),
    "telegram-bot-api-token": ("telegram-bot-token",), "digitalocean-pat": ("digitalocean-pat",), "grafana-service-account-token": ("grafana-service-account",),
    "azure-ad-client-secret": ("azure-ad-secret",), "anthropic-admin-api-key": ("anthropic-admin",), "perplexity-api-key": ("perplexity-key",), "age-secret-key": ("age-secret-key",),
}  # fmt: skip


def ruleset_from_gitleaks(text: str, base: str | Ruleset | None = None) -> Ruleset:
    """Return the rule set that the text of a `.gitleaks.toml` describes; `base` is the text or the rules of the file that `[extend] path` names.

    RulesError on broken TOML, unknown keys, values of the wrong kind, a regex that cannot be translated, and an `[extend] path` or `url`
    without `base`.
    """
    data = _load(text)
    _known(data, _TOP, "at the top")
    extend = _table(data, "extend")
    _known(extend, _EXTEND, "in [extend]")
    parent = Ruleset()
    if "url" in extend or "path" in extend:
        if base is None or "url" in extend:
            source = extend.get("path", extend.get("url"))
            raise RulesError(
                f"the gitleaks configuration extends {source!r}, which is not read from here", "copy those rules into this file"
            )
        parent = ruleset_from_gitleaks(base) if isinstance(base, str) else base
    off = _texts(extend, "disabledRules")
    disabled = tuple(name for rule in off for name in ALIASES.get(rule, (rule,)))
    rows: list[Row] = [row for row in parent.rows if row[0] not in off]
    allow: list[Allow] = list(parent.allow)
    by_path = list(parent.by_path)
    for number, rule in enumerate(_tables(data, "rules")):
        try:
            row = _read_rule(rule)
            rows = [other for other in rows if other[0] != row[0]] + [row]
            if "path" in rule:
                by_path.append((row[0], translate(_text(rule, "path"), row[0]), True))
            for entry in _lists(rule):
                _read_allow(entry, (row[0],), allow, by_path)
        except RulesError as problem:
            problem.line = problem.line or _line_of_rule(text, number)
            raise
    for entry in _lists(data):
        names = tuple(name for rule in _texts(entry, "targetRules") for name in (rule, *ALIASES.get(rule, ())))
        _read_allow(entry, names, allow, by_path)
    if not isinstance(extend.get("useDefault", True), bool):
        raise _wrong("useDefault", "true or false")
    builtin = extend.get("useDefault", True) and parent.builtin
    return Ruleset(tuple(rows), (*parent.disabled, *disabled), builtin, tuple(allow), tuple(by_path))


def extended_path(text: str) -> str:
    """Return what `[extend] path` of a configuration names, '' when it extends no file. RulesError on broken TOML."""
    return _text(_table(_load(text), "extend"), "path", needed=False)


def _load(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        at = re.search(r"\(at line ([0-9]{1,9})", str(error))
        problem = RulesError(f"the gitleaks configuration is not valid TOML: {error}", "correct the file and run the command again")
        problem.line = int(at[1]) if at else 0
        raise problem from error


def _line_of_rule(text: str, number: int) -> int:
    """Return the 1-based line of the rule's header, counted from 0; 0 when the rules are written in another way."""
    headers = [line for line, words in enumerate(text.split("\n"), 1) if re.match(r"[ \t]*+\[\[[ \t]*+rules[ \t]*+\]\]", words)]
    return headers[number] if number < len(headers) else 0


def _wrong(key: str, kind: str) -> RulesError:
    return RulesError(f"the gitleaks configuration's {key!r} is not {kind}", "correct the value")


def _text(table: dict[str, Any], key: str, *, needed: bool = True) -> str:
    """Return a text; '' when it may be left out and is."""
    value = table.get(key, None if needed else "")
    if not isinstance(value, str):
        raise _wrong(key, "a text")
    return value


def _texts(table: dict[str, Any], key: str) -> list[str]:
    """Return a list of texts. A lone text would be read as a list of letters, and an allowlist of letters excuses everything."""
    value = table.get(key, [])
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise _wrong(key, "a list of texts")
    return value


def _tables(table: dict[str, Any], key: str) -> list[dict[str, Any]]:
    value = table.get(key, [])
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise _wrong(key, f"a list of tables, written as [[{key}]]")
    return value


def _known(table: dict[str, Any], keys: set[str], where: str) -> None:
    unknown = sorted(set(table) - keys)
    if unknown:
        raise RulesError(
            f"the gitleaks configuration has a key that is not understood {where}: {', '.join(unknown)}",
            "remove the key, or keep that rule in gitleaks alone",
        )


def _table(data: dict[str, Any], key: str) -> dict[str, Any]:
    value = data.get(key, {})
    if not isinstance(value, dict):
        raise RulesError(f"the gitleaks configuration's {key!r} is not a table", f"write it as [{key}]")
    return value


def _lists(table: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the allowlists of a rule or of the file, in the old and the new spelling."""
    found = list(_tables(table, "allowlists"))
    if "allowlist" in table:
        found.append(_table(table, "allowlist"))
    return found


def _read_rule(rule: dict[str, Any]) -> Row:
    name = _text(rule, "id", needed=False)
    if not name:
        raise RulesError("a rule of the gitleaks configuration has no id", "give it one")
    _known(rule, _RULE, f"in rule {name}")
    if "regex" not in rule:
        raise RulesError(
            f"rule {name} of the gitleaks configuration has no regex; rules about paths alone do not apply to lines", "remove it here"
        )
    pattern = translate(_text(rule, "regex"), name)
    groups = re.compile(pattern).groups
    group, entropy = rule.get("secretGroup", 0), rule.get("entropy", 0.0)
    if type(group) is not int or group < 0 or type(entropy) not in {int, float}:
        raise _wrong("secretGroup" if type(group) is not int or group < 0 else "entropy", f"a number in rule {name}")
    if group > groups:
        raise RulesError(f"rule {name} of the gitleaks configuration wants group {group}, its regex has {groups}", "correct secretGroup")
    return (
        name,
        _text(rule, "description", needed=False) or name,
        pattern,
        group or (-1 if groups else 0),
        "user",
        True,
        float(entropy),
        tuple(word.lower() for word in _texts(rule, "keywords")),
    )


def _read_allow(entry: dict[str, Any], names: tuple[str, ...], allow: list[Allow], by_path: list[tuple[str, str, bool]]) -> None:
    _known(entry, _ALLOW, "in an allowlist")
    condition = (_text(entry, "condition", needed=False) or "OR").upper()
    if condition not in {"AND", "&&", "OR", "||"}:
        raise RulesError("an allowlist of the gitleaks configuration has an unknown condition", 'use "AND" or "OR"')
    every = condition in {"AND", "&&"}
    if every and (entry.get("paths") or entry.get("commits")) and (entry.get("regexes") or entry.get("stopwords")):
        raise RulesError(
            "an allowlist of the gitleaks configuration joins paths or commits with regexes by AND, which is not supported",
            "split it into two allowlists",
        )
    target = _text(entry, "regexTarget", needed=False) or "secret"
    if target not in {"secret", "match", "line"}:
        raise RulesError(f"an allowlist of the gitleaks configuration has the unknown regexTarget {target!r}", 'use "match" or "line"')
    regexes = tuple(translate(regex, "allowlist") for regex in _texts(entry, "regexes"))
    stops = tuple(word.lower() for word in _texts(entry, "stopwords"))
    if regexes or stops:
        allow.append((names, target, regexes, stops, every))
    for path in _texts(entry, "paths"):
        by_path += [(name, translate(path, "allowlist"), False) for name in names or ("",)]


def allowed(rule: str, value: str, line: str, rules: Ruleset) -> bool:
    """Say whether an allowlist excuses a finding."""
    for names, target, regexes, stops, every in rules.allow:
        if names and rule not in names:
            continue
        text = line if target == "line" else value
        tests = [compiled(regex).search(text) is not None for regex in regexes]
        if stops:
            tests.append(any(word in value.lower() for word in stops))
        if tests and (all(tests) if every else any(tests)):
            return True
    return False


def translate(pattern: str, name: str) -> str:
    """Return Go's regex as a Python one; RulesError with the rule's name where that is not possible."""
    try:
        result = "(?am)" + _Translator(pattern, name).run()
        tree = sre.parse(result)
    except (re.error, OverflowError, RecursionError) as error:
        raise RulesError(
            f"the regex of {name} in the gitleaks configuration cannot be translated: {error}",
            "rewrite the regex, or keep that rule in gitleaks alone",
        ) from error
    if nested_repeat(tree):
        raise RulesError(
            f"the regex of {name} in the gitleaks configuration repeats a repetition without bounds, which can take exponential time here",
            "bound the inner or the outer repetition",
        )
    return result


class _Translator:
    """One pass over a Go regex; scoped groups are opened for flags in the middle and closed with the group around them."""

    def __init__(self, pattern: str, name: str) -> None:
        self.source, self.name = pattern, name
        self.at = 0
        self.out: list[str] = []
        self.open = [0]  # scoped flag groups opened at each depth
        self.flags: tuple[str, ...] = ()  # their heads, outermost first

    def run(self) -> str:
        while self.at < len(self.source):
            self.step()
        self.out.append(")" * self.open[0])
        return "".join(self.out)

    def step(self) -> None:
        char = self.source[self.at]
        if char == "\\":
            self.escape(inside=False)
        elif char == "[":
            self.char_class()
        elif char == "(":
            self.group()
        elif char == ")":
            extra = self.open.pop() if len(self.open) > 1 else 0
            self.flags = self.flags[: len(self.flags) - extra]
            self.take(")" * extra + ")", 1)
        elif char == "|" and self.open[-1]:
            # Go's flag holds on over the following branches of the group: reopen it there
            flags = self.flags[-self.open[-1] :]
            self.take(")" * self.open[-1] + "|" + "".join(flags), 1)
        else:
            self.take(char, 1)

    def take(self, text: str, size: int) -> None:
        self.out.append(text)
        self.at += size

    def group(self) -> None:
        found = re.compile(r"\(\?([imsU]*)(?:-([imsU]+))?([:)])").match(self.source, self.at)
        if found is not None:
            on, off, end = found.group(1), found.group(2) or "", found.group(3)
            if "U" in on + off:
                raise re.error("the flag U (ungreedy) has no counterpart")
            on, off = on.replace("m", ""), off.replace("m", "")
            head = f"(?{on}{'-' + off if off else ''}:" if on or off else "(?:"
            if end == ":":
                self.take(head, len(found.group()))
                self.open.append(0)
            else:
                self.take(head, len(found.group()))
                self.open[-1] += 1
                self.flags = (*self.flags, head)
            return
        named = re.compile(r"\(\?P?<([A-Za-z_][0-9A-Za-z_]*)>").match(self.source, self.at)
        self.open.append(0)
        if named is not None:
            self.take(f"(?P<{named.group(1)}>", len(named.group()))
        else:
            self.take("(", 1)

    def escape(self, *, inside: bool) -> None:
        following = self.source[self.at + 1 : self.at + 2]
        if following == "z":
            self.take(r"(?:\Z)", 2)
        elif following in {"p", "P", "C", "X"}:
            raise re.error(f"\\{following} has no counterpart")
        elif following == "Q" and not inside:
            end = self.source.find(r"\E", self.at)
            end = len(self.source) if end < 0 else end
            self.take(re.escape(self.source[self.at + 2 : end]), end + 2 - self.at)
        elif (found := re.compile(r"\\x\{([0-9A-Fa-f]{1,6})\}").match(self.source, self.at)) is not None:
            self.take(rf"\U{int(found.group(1), 16):08x}", len(found.group()))
        else:
            self.take(self.source[self.at : self.at + 2], 2)

    def char_class(self) -> None:
        self.take("[", 1)
        if self.source[self.at : self.at + 1] == "^":
            self.take("^", 1)
        first = True
        while self.at < len(self.source):
            char = self.source[self.at]
            if char == "]" and not first:
                self.take("]", 1)
                return
            first = False
            posix = re.compile(r"\[:(\^?)([a-z]+):\]").match(self.source, self.at)
            if posix is not None:
                if posix.group(1) or posix.group(2) not in _POSIX:
                    raise re.error(f"the class {posix.group()} has no counterpart")
                self.take(_POSIX[posix.group(2)], len(posix.group()))
            elif char == "\\":
                self.escape(inside=True)
            elif char == "[" or char in "&~|-" and self.source[self.at + 1 : self.at + 2] == char:
                self.take("\\" + char, 1)
            else:
                self.take(char, 1)
        raise re.error("a character class is not closed")


def nested_repeat(tree: Any, *, inside: bool = False) -> bool:
    """Say whether a parsed regex repeats an unbounded repetition without bounds, outside possessive and atomic parts."""
    for op, argument in tree:
        kind = str(op)
        if kind in {"MAX_REPEAT", "MIN_REPEAT"}:
            _, most, body = argument
            endless = most == sre.MAXREPEAT
            if endless and inside or nested_repeat(body, inside=inside or endless and not _single(body)):
                return True
        elif kind == "SUBPATTERN":
            if nested_repeat(argument[3], inside=inside):
                return True
        elif kind == "BRANCH":
            if any(nested_repeat(branch, inside=inside) for branch in argument[1]):
                return True
        elif kind in {"ASSERT", "ASSERT_NOT"}:
            if nested_repeat(argument[1], inside=False):
                return True
        elif kind == "ATOMIC_GROUP" and nested_repeat(argument, inside=False):
            return True
    return False


def _single(body: Any) -> bool:
    return len(body) == 1 and str(body[0][0]) in {"IN", "LITERAL", "NOT_LITERAL", "ANY", "CATEGORY"}
