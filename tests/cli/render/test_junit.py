"""A check's report as JUnit XML."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from hoard_git.app.check import Report
from hoard_git.cli.render.junit import render_junit
from tests.cli.render.reports import ALLOWED, EVERY, GONE, HOSTILE, NOTHING, OF_COMMIT, PLAIN, obeyed


def suite(report: Report, *, strict: bool = False) -> ET.Element:
    """The one suite of a report, its counts compared with what it holds."""
    text = render_junit(report, strict=strict)
    assert text.isascii() and obeyed(text) == []
    root = ET.fromstring(text)
    (found,) = root
    assert (root.tag, found.tag) == ("testsuites", "testsuite")
    cases = found.findall("testcase")
    failures = found.findall("testcase/failure")
    for counted in (root, found):
        assert (int(counted.attrib["tests"]), int(counted.attrib["failures"])) == (len(cases), len(failures))
        assert counted.attrib["errors"] == "0"
    assert {child.tag for child in found} <= {"properties", "testcase"}
    for case in cases:
        assert set(case.attrib) == {"classname", "name", "time"}
        assert [child.tag for child in case] in ([], ["failure"], ["system-out"], ["failure", "system-out"])
    return found


def test_a_clean_report_has_one_case_that_passes() -> None:
    found = suite(NOTHING)
    assert [(case.attrib["name"], len(case)) for case in found.findall("testcase")] == [("no findings", 0)]
    assert {p.attrib["name"]: p.attrib["value"] for p in found.findall("properties/property")} == {
        "files": "3",
        "lines": "40",
        "commits": "2",
        "before-policy": "0",
    }


def test_a_rule_is_a_case_and_fails_with_an_error() -> None:
    found = suite(Report((PLAIN, OF_COMMIT, GONE, PLAIN._replace(line=9, end_line=9)), 2, 9, 1))
    failed = {case.attrib["name"]: case.find("failure") for case in found.findall("testcase")}
    assert list(failed) == ["HG101 untagged-content", "HG301 user-content-changed-by-non-human", "HG701 missing-trailers"]
    untagged = failed["HG101 untagged-content"]
    assert untagged is not None
    assert untagged.attrib == {"message": "2 findings", "type": "HG101 untagged-content"}
    assert untagged.text == (
        "memory/a.md:3:5: HG101 an entry has no provenance\n    hoard tag\nmemory/a.md:9:5: HG101 an entry has no provenance\n    hoard tag"
    )
    assert failed["HG701 missing-trailers"] is None
    shown = found.find("testcase[@name='HG701 missing-trailers']/system-out")
    assert shown is not None
    assert shown.text == "0123456789ab commit: HG701 warning: the commit has no Memory trailers"


@pytest.mark.parametrize(("strict", "failures"), [(False, "0"), (True, "1")])
def test_warnings_fail_when_they_are_to(strict: bool, failures: str) -> None:
    assert suite(Report((OF_COMMIT, ALLOWED), 1, 1, 1), strict=strict).attrib["failures"] == failures


def test_errors_and_warnings_of_one_rule_are_told_apart() -> None:
    (case,) = suite(Report((PLAIN, PLAIN._replace(severity="info")), 1, 1, 1)).findall("testcase")
    assert [child.tag for child in case] == ["failure", "system-out"]


def test_texts_cannot_leave_their_element() -> None:
    found = suite(EVERY)
    assert len(found.findall("testcase")) == 4
    failure = found.find("testcase[@name='HG101 untagged-content']/failure")
    assert failure is not None
    text = failure.text or ""
    assert "]]> <b> & \\x00\\x0b\\x1b[31m\\u202e" in text
    assert "<&\"'.md" in text
    assert obeyed(text) == []


def test_what_xml_cannot_hold_is_replaced() -> None:
    (case,) = suite(Report((HOSTILE._replace(code="HG1\ufffe", name="\x01"),), 1, 1, 1)).findall("testcase")
    assert case.attrib["name"] == "HG1\ufffd \ufffd"
