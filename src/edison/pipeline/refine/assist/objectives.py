"""Drafts objectives from hints, clarifies them, and adds missing details."""

from collections.abc import Mapping
from typing import Any

from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.refine.assist.draft import (
    Assistant,
    AssistFailed,
    Drafted,
    Request,
    draft,
    rows_in,
    text_in,
)

SHORTEST = 20
LONGEST = 2000
_LONGEST_TITLE = 100
_LONGEST_CHANGES = 1000

_IMPROVE = "Improve this objective: make it precise, unambiguous and easy to read."
_DETAIL = (
    "Add details to this objective: whom the result is for, what it should be like, and when it "
    "counts as a success."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectiveOption:
    title: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ImprovedText:
    """`changes` describes the difference in a sentence or two."""

    text: str
    changes: str


async def draft_objectives(
    assistant: Assistant, hints: str, *, count: int = 3
) -> Drafted[ObjectiveOption] | AssistFailed:
    def read(reply: Mapping[str, Any]) -> tuple[ObjectiveOption, ...]:
        return tuple(
            ObjectiveOption(
                title=text_in(row, "title", longest=_LONGEST_TITLE),
                text=text_in(row, "text", shortest=SHORTEST, longest=LONGEST),
            )
            for row in rows_in(reply, "options")[:count]
        )

    request = Request(
        text_name="objectives-1",
        material={"hints": hints},
        form='{"options": [{"title": "…", "text": "…"}]}',
        values={"count": str(count)},
    )
    return await draft(assistant, request, read)


async def improve_objective(
    assistant: Assistant, objective: str
) -> Drafted[ImprovedText] | AssistFailed:
    return await _revise(assistant, objective, _IMPROVE)


async def add_details(assistant: Assistant, objective: str) -> Drafted[ImprovedText] | AssistFailed:
    return await _revise(assistant, objective, _DETAIL)


async def _revise(
    assistant: Assistant, objective: str, task: str
) -> Drafted[ImprovedText] | AssistFailed:
    def read(reply: Mapping[str, Any]) -> tuple[ImprovedText, ...]:
        text = text_in(reply, "text", shortest=SHORTEST, longest=LONGEST)
        return (
            ImprovedText(text=text, changes=text_in(reply, "changes", longest=_LONGEST_CHANGES)),
        )

    request = Request(
        text_name="objective-1",
        material={"objective": objective},
        form='{"text": "…", "changes": "…"}',
        values={"task": task},
    )
    return await draft(assistant, request, read)
