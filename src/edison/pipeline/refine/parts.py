"""The parts of a prompt that an edit may change: main text, system text and few-shot examples, with
their diffs and guard rails.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Any

from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.refine.alignment import common_length
from edison.pipeline.refine.change import Change
from edison.pipeline.refine.diff import make_diff
from edison.pipeline.refine.guard import check_all
from edison.pipeline.refine.guardrail import Violation
from edison.pipeline.render.prompt_template import FewShot, PromptTemplate

# Examples that one edit may add, remove or replace.
MOST_CHANGED_EXAMPLES = 3
LONGEST_EXAMPLE = 4_000
FEW_SHOTS_RAIL = "few_shots"
VARIABLES_RAIL = "variables"


class PromptPart(StrEnum):
    """In the order in which they are shown. Stored; never rename."""

    TEXT = "text"
    SYSTEM = "system"
    FEW_SHOTS = "few_shots"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedPart:
    """A changed part, as text before and after."""

    part: PromptPart
    before: str
    after: str
    diff: str


_FILES = {
    PromptPart.TEXT: "prompt.txt",
    PromptPart.SYSTEM: "system.txt",
    PromptPart.FEW_SHOTS: "examples.txt",
}


def changed_parts(before: PromptTemplate, after: PromptTemplate) -> dict[str, Any]:
    """The parts that differ, each whole, as stored."""
    parts: dict[str, Any] = {}
    if after.text != before.text:
        parts[PromptPart.TEXT.value] = after.text
    if (after.system or None) != (before.system or None):
        parts[PromptPart.SYSTEM.value] = after.system or None
    if after.few_shots != before.few_shots:
        parts[PromptPart.FEW_SHOTS.value] = [
            {"user": each.user, "assistant": each.assistant} for each in after.few_shots
        ]
    return parts


def with_parts(prompt: PromptTemplate, parts: Mapping[str, Any]) -> PromptTemplate:
    """The prompt with some of its parts replaced; the opposite of `changed_parts`."""
    found = dict(parts)
    if "few_shots" in found:
        found["few_shots"] = tuple(FewShot(**each) for each in found["few_shots"])
    return replace(prompt, **found)


def write_examples(few_shots: Sequence[FewShot]) -> str:
    """Examples as one text, for diffs."""
    return "\n".join(f"User:\n{each.user}\nAssistant:\n{each.assistant}\n" for each in few_shots)


def diff_parts(before: PromptTemplate, after: PromptTemplate) -> list[ChangedPart]:
    """One diff per changed part."""
    texts = (
        (PromptPart.TEXT, before.text, after.text),
        (PromptPart.SYSTEM, before.system or "", after.system or ""),
        (PromptPart.FEW_SHOTS, write_examples(before.few_shots), write_examples(after.few_shots)),
    )
    return [
        ChangedPart(part=part, before=old, after=new, diff=make_diff(old, new, name=_FILES[part]))
        for part, old, new in texts
        if old != new
    ]


def diff_prompts(before: PromptTemplate, after: PromptTemplate) -> str:
    """The diffs of all changed parts in a row, each under its own file name."""
    return "".join(each.diff for each in diff_parts(before, after))


def check_prompt(
    before: PromptTemplate, after: PromptTemplate, *, material: tuple[str, ...] = ()
) -> tuple[Violation, ...]:
    """All violations of an edit: the rails of texts for the main text and for the system text, the
    limits of examples, and the variables of the whole prompt. `material` are texts of training
    cases.
    """
    main = Change(before=before.text, after=after.text, syntax=before.syntax, material=material)
    system = Change(
        before=before.system or "",
        after=after.system or "",
        syntax=before.syntax,
        material=material,
    )
    return (
        *check_all(main),
        *(replace(each, message=f"System text: {each.message}") for each in check_all(system)),
        *_check_examples(before, after),
    )


def _check_examples(before: PromptTemplate, after: PromptTemplate) -> list[Violation]:
    if before.few_shots == after.few_shots:
        return []
    found = []
    kept = common_length(_written(before.few_shots), _written(after.few_shots))
    changed = max(len(before.few_shots), len(after.few_shots)) - kept
    if changed > MOST_CHANGED_EXAMPLES:
        found.append(
            _violation(
                f"{changed} examples are added, removed or replaced; at most "
                f"{MOST_CHANGED_EXAMPLES} may be.",
                measured=changed,
                allowed=MOST_CHANGED_EXAMPLES,
            )
        )
    added = [each for each in after.few_shots if each not in before.few_shots]
    longest = max((len(text) for each in added for text in (each.user, each.assistant)), default=0)
    if longest > LONGEST_EXAMPLE:
        found.append(
            _violation(
                f"An example has {longest:,} characters; at most {LONGEST_EXAMPLE:,} are allowed.",
                measured=longest,
                allowed=LONGEST_EXAMPLE,
            )
        )
    if any(not each.user.strip() or not each.assistant.strip() for each in added):
        found.append(_violation("An example needs a text of the user and one of the assistant."))
    return [*found, *_check_variables(before, after)]


def _written(few_shots: Sequence[FewShot]) -> list[str]:
    return [write_examples([each]) for each in few_shots]


def _violation(
    message: str, *, measured: float | None = None, allowed: float | None = None
) -> Violation:
    return Violation(rail=FEW_SHOTS_RAIL, message=message, measured=measured, allowed=allowed)


def _check_variables(before: PromptTemplate, after: PromptTemplate) -> list[Violation]:
    """Examples may use fewer variables only if another part still uses them."""
    # The other parts have a rail of their own: they are compared as they were.
    edited = replace(before, few_shots=after.few_shots).variables()
    old = before.variables()
    changed = [name for name in edited if name not in old]
    changed += [name for name in old if name not in edited]
    if not changed:
        return []
    listed = ", ".join(changed)
    message = f"Examples: variables must stay as they are; this adds or removes {listed}."
    return [Violation(rail=VARIABLES_RAIL, message=message, measured=len(changed), allowed=0)]
