"""Drafts prompts from an objective and its rubric, improves them, and adds constraints."""

import json
from collections.abc import Mapping, Sequence
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
from edison.pipeline.refine.assist.objectives import ImprovedText
from edison.pipeline.refine.change import Change
from edison.pipeline.refine.guardrails.variables import Variables
from edison.pipeline.render.template import Syntax, parse
from edison.pipeline.score.rubric import Criterion
from edison.pipeline.score.verdict import UnreadableVerdict

LONGEST = 20_000
_LONGEST_NAME = 100
_LONGEST_REASON = 1000
_FORM = '{"prompts": [{"name": "…", "text": "…", "system": "…", "rationale": "…"}]}'

_IMPROVE = "Improve this prompt: make it clearer and more specific, so that answers do better."
_CONSTRAIN = (
    "Add constraints to this prompt: limits of length and format, what must not be in an answer, "
    "and what to do when something is missing."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptOption:
    """`rationale` says why this approach might work."""

    name: str
    text: str
    system: str | None
    rationale: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Purpose:
    """The purpose of a prompt, as far as known. `focus` names the most important criteria;
    `variables` are the input variables of the cases, empty if any name is allowed.
    """

    objective: str
    criteria: Sequence[Criterion] = ()
    focus: Sequence[str] = ()
    variables: Sequence[str] = ()
    syntax: Syntax = Syntax.DOUBLE


async def draft_prompts(
    assistant: Assistant, purpose: Purpose, *, count: int = 3
) -> Drafted[PromptOption] | AssistFailed:
    def read(reply: Mapping[str, Any]) -> tuple[PromptOption, ...]:
        return tuple(_option(row, purpose) for row in rows_in(reply, "prompts")[:count])

    request = Request(
        text_name="prompts-1",
        material={"objective": purpose.objective, "rubric": _rubric(purpose.criteria)},
        form=_FORM,
        values={
            "count": str(count),
            "variables": _told_variables(purpose),
            "variable": _written("variable", purpose.syntax),
        },
    )
    return await draft(assistant, request, read)


async def improve_prompt(
    assistant: Assistant, text: str, purpose: Purpose
) -> Drafted[ImprovedText] | AssistFailed:
    return await _revise(assistant, text, purpose, _IMPROVE)


async def add_constraints(
    assistant: Assistant, text: str, purpose: Purpose
) -> Drafted[ImprovedText] | AssistFailed:
    return await _revise(assistant, text, purpose, _CONSTRAIN)


async def _revise(
    assistant: Assistant, text: str, purpose: Purpose, task: str
) -> Drafted[ImprovedText] | AssistFailed:
    def read(reply: Mapping[str, Any]) -> tuple[ImprovedText, ...]:
        revised = text_in(reply, "text", longest=LONGEST)
        change = Change(before=text, after=revised, syntax=purpose.syntax)
        violation = Variables().check(change)
        if violation is not None:
            raise UnreadableVerdict(violation.message)
        changes = text_in(reply, "changes", longest=_LONGEST_REASON)
        return (ImprovedText(text=revised, changes=changes),)

    focus = f" Look above all at {', '.join(purpose.focus)}." if purpose.focus else ""
    request = Request(
        text_name="prompt-1",
        material={
            "objective": purpose.objective,
            "rubric": _rubric(purpose.criteria),
            "prompt": text,
        },
        form='{"text": "…", "changes": "…"}',
        values={"task": f"{task}{focus}"},
    )
    return await draft(assistant, request, read)


def _option(row: Mapping[str, Any], purpose: Purpose) -> PromptOption:
    text = text_in(row, "text", longest=LONGEST)
    system = row.get("system")
    if system is not None and not isinstance(system, str):
        raise UnreadableVerdict('"system" must be a text.')
    used = parse(text, purpose.syntax).names()
    if not used:
        form = _written("input", purpose.syntax)
        raise UnreadableVerdict(f"A prompt has no variable such as {form}.")
    unknown = [name for name in used if purpose.variables and name not in purpose.variables]
    if unknown:
        raise UnreadableVerdict(f"A prompt has variables that are not known: {', '.join(unknown)}.")
    return PromptOption(
        name=text_in(row, "name", longest=_LONGEST_NAME),
        text=text,
        system=(system or "").strip() or None,
        rationale=text_in(row, "rationale", longest=_LONGEST_REASON),
    )


def _told_variables(purpose: Purpose) -> str:
    if not purpose.variables:
        return "Choose telling names for the variables."
    written = ", ".join(_written(name, purpose.syntax) for name in purpose.variables)
    return f"Use these variables and no other: {written}."


def _written(name: str, syntax: Syntax) -> str:
    return f"{syntax.opening}{name}{syntax.closing}"


def _rubric(criteria: Sequence[Criterion]) -> str:
    rows = [{"name": one.name, "description": one.description} for one in criteria]
    return json.dumps(rows, ensure_ascii=False, indent=1) if rows else ""
