"""Drafts a rubric from an objective."""

import re
from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter, ValidationError

from edison.pipeline.refine.assist.draft import (
    Assistant,
    AssistFailed,
    Drafted,
    Request,
    draft,
    rows_in,
    text_in,
)
from edison.pipeline.score.rubric import Criteria, Criterion, Scale, normalised
from edison.pipeline.score.verdict import UnreadableVerdict

_CRITERIA: TypeAdapter[tuple[Criterion, ...]] = TypeAdapter(Criteria)
_FORM = (
    '{"criteria": [{"name": "…", "description": "…", "weight": <0 to 1>, '
    '"scale": {"min": 0, "max": 5}}]}'
)
_NOT_IN_NAMES = re.compile(r"[^\w ]|_")


async def draft_rubric(assistant: Assistant, objective: str) -> Drafted[Criterion] | AssistFailed:
    """Drafts a valid set of criteria, with weights that sum to 1."""
    request = Request(
        text_name="rubric-1", material={"objective": objective}, form=_FORM, values={}
    )
    return await draft(assistant, request, _read)


def _read(reply: Mapping[str, Any]) -> tuple[Criterion, ...]:
    rows = [_row(row) for row in rows_in(reply, "criteria")]
    try:
        return normalised(_CRITERIA.validate_python(rows)).criteria
    except ValidationError as wrong:
        problem = wrong.errors(include_input=False, include_context=False, include_url=False)[0]
        where = ".".join(map(str, ("criteria", *problem["loc"])))
        message = problem["msg"].removeprefix("Value error, ").rstrip(".")
        raise UnreadableVerdict(f"{where}: {message}.") from wrong


def _row(row: Mapping[str, Any]) -> dict[str, Any]:
    """Converts a row to the stored form. Special characters in names, such as "Tone & style", are
    removed instead of rejected.
    """
    name = " ".join(_NOT_IN_NAMES.sub(" ", text_in(row, "name", longest=200)).split())
    return {
        "name": name,
        "description": row.get("description"),
        "weight": row.get("weight"),
        "scale": _scale(row.get("scale")),
    }


def _scale(value: Any) -> str:
    """The requested scale if it is supported; else the default."""
    written = f"0-{value.get('max')}" if isinstance(value, dict) else str(value)
    return written if written in set(Scale) else Scale.TO_5.value
