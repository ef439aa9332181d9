"""Cells of a run as JUnit XML: one suite per variant, one test case per cell."""

from collections.abc import Iterable
from typing import Any

from edison.kit.xml_text import attribute, text

Record = dict[str, Any]


class JunitWriter:
    """Keeps all cases until the end: the counts of a suite come before its cases."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._suites: dict[str, list[Record]] = {}

    def begin(self) -> bytes:
        return b'<?xml version="1.0" encoding="UTF-8"?>\n'

    def write(self, records: Iterable[Record]) -> bytes:
        for record in records:
            self._suites.setdefault(record["variant"]["label"], []).append(record)
        return b""

    def end(self) -> bytes:
        every = [record for records in self._suites.values() for record in records]
        lines = [f"<testsuites name={attribute(self._name)} {_counts(every)}>"]
        for label, records in self._suites.items():
            lines.append(f"  <testsuite name={attribute(label)} {_counts(records)}>")
            lines += [_case(label, record) for record in records]
            lines.append("  </testsuite>")
        return "\n".join([*lines, "</testsuites>", ""]).encode()


def _counts(records: list[Record]) -> str:
    failed = sum(_failure(record) is not None for record in records)
    wrong = sum(record["status"] == "error" for record in records)
    seconds = sum(record["latency_seconds"] or 0 for record in records)
    return f'tests="{len(records)}" failures="{failed}" errors="{wrong}" time="{seconds:.3f}"'


def _case(label: str, record: Record) -> str:
    number, repeat = record["case"]["position"] + 1, record["repeat"]
    name = f"case {number}" if repeat == 0 else f"case {number}, repeat {repeat + 1}"
    seconds = record["latency_seconds"] or 0
    begin = (
        f'    <testcase classname={attribute(label)} name={attribute(name)} time="{seconds:.3f}">'
    )
    if record["status"] == "error":
        message, kind = record["message"] or "", attribute(record["error"] or "error")
        inner = f"<error message={attribute(message)} type={kind}>{text(message)}</error>"
    elif (failure := _failure(record)) is not None:
        answer = text(record["text"] or "")
        inner = f'<failure message={attribute(failure)} type="score">{answer}</failure>'
    else:
        return f"{begin}</testcase>"
    return f"{begin}\n      {inner}\n    </testcase>"


def _failure(record: Record) -> str | None:
    """Why an answer does not pass; None if it does, or there is none."""
    if record["status"] == "malformed":
        return f"The answer is malformed: {record['error']}."
    missed = [score["label"] for score in record["scores"] if score["is_passed"] is False]
    return f"Below the threshold: {', '.join(missed)}" if missed else None
