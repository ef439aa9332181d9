"""Base classes of safety checks: the texts they search, and the score of their findings.

A check gives 1 when it finds nothing, else 0. In the mode `block` the score also has the flag
`blocked`: it fails whatever its threshold is, and `not-` does not invert it.
"""

import json
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Literal

from pydantic import Field

from edison.pipeline.score.long_text import search
from edison.pipeline.score.safety.findings import SafetyFinding, describe
from edison.pipeline.score.scorer import Flag, NotApplicable, Scored, Scorer, Subject, Tools

OUTPUT = "output"
_MOST_PLACES = 100
# Max characters in total; takes seconds of CPU time at worst.
_LONGEST = 1_000_000


class SafetyCheck(Scorer):
    """Subclasses search for findings and pass them to `verdict`."""

    is_pass_or_fail: ClassVar[bool] = True

    looks_at: Literal["output", "inputs", "both"] = Field(default="output", title="Look at")
    mode: Literal["flag", "block"] = Field(
        default="flag",
        title="What it does",
        description="Flag: the score is 0. Block: also, the answer is marked as not to be used.",
    )

    def verdict(self, found: Sequence[tuple[str, SafetyFinding]]) -> Scored:
        """`found` pairs each finding with its place. The score reports kind and position, never the
        text.
        """
        if not found:
            return Scored(value=1.0, rationale="Nothing found.")
        findings = [finding for _, finding in found]
        places = [
            {"where": place, "kind": each.kind, "start": each.start, "end": each.end}
            for place, each in found[:_MOST_PLACES]
        ]
        return Scored(
            value=0.0,
            flag=Flag.BLOCKED if self.mode == "block" else None,
            rationale=f"Found {describe(findings)}.",
            raw=json.dumps(places),
        )


class TextCheck(SafetyCheck):
    """Base class of checks that search a text locally."""

    @abstractmethod
    def find(self, text: str, *, is_input: bool) -> list[SafetyFinding]:
        """Returns all findings in order. Called in a thread when the text is long. Raises
        NotApplicable when the text cannot be checked.
        """

    async def score(self, subject: Subject, tools: Tools) -> Scored:
        texts = list(texts_of(subject, self.looks_at))
        length = sum(len(text) for _, text in texts)
        if length > _LONGEST:
            raise NotApplicable(Flag.TOO_LONG, "The texts are too long to be looked through.")
        found = await search(length, self._find_all, texts)
        return self.verdict([*found, *self.known(subject)])

    def known(self, subject: Subject) -> list[tuple[str, SafetyFinding]]:
        """Findings that were redacted from the answer before scoring."""
        return []

    def _find_all(self, texts: Sequence[tuple[str, str]]) -> list[tuple[str, SafetyFinding]]:
        return [
            (place, finding)
            for place, text in texts
            for finding in self.find(text, is_input=place != OUTPUT)
        ]


def texts_of(subject: Subject, looks_at: str) -> Iterator[tuple[str, str]]:
    """Yields each text with its place. Of an answer, everything is checked, including text outside
    the requested part and tool call arguments.
    """
    if looks_at != "inputs":
        yield OUTPUT, subject.text
        for number, call in enumerate(subject.tool_calls, start=1):
            yield f"tool call {number}", call.arguments
    if looks_at != "output":
        for name, value in subject.inputs.items():
            for text in _texts_in(value):
                yield f"inputs.{name}", text


def _texts_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _texts_in(each)
    elif isinstance(value, list):
        for each in value:
            yield from _texts_in(each)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield str(value)
