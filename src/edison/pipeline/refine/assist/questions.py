"""Rewrites a test question so that the remarks of its judges no longer apply."""

from collections.abc import Mapping, Sequence
from typing import Any

from edison.pipeline.refine.assist.draft import (
    Assistant,
    AssistFailed,
    Drafted,
    Request,
    draft,
    text_in,
)
from edison.pipeline.refine.assist.objectives import ImprovedText

LONGEST_QUESTION = 20_000
_LONGEST_CHANGES = 1000


async def rewrite_question(
    assistant: Assistant, question: str, remarks: Sequence[str]
) -> Drafted[ImprovedText] | AssistFailed:
    def read(reply: Mapping[str, Any]) -> tuple[ImprovedText, ...]:
        text = text_in(reply, "text", longest=LONGEST_QUESTION)
        return (
            ImprovedText(text=text, changes=text_in(reply, "changes", longest=_LONGEST_CHANGES)),
        )

    request = Request(
        text_name="question-1",
        material={
            "question": question,
            "remarks": "\n".join(f"- {remark}" for remark in remarks),
        },
        form='{"text": "…", "changes": "…"}',
        values={},
    )
    return await draft(assistant, request, read)
