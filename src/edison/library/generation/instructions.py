"""The prompt of each batch, from the plan and the texts in `templates/`.

User-supplied text is enclosed in tags whose names end in the plan's nonce, so that it cannot close
the tag and be taken for instructions.
"""

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from edison.library.generation.plan import Attack, GenerationKind, GenerationPlan, QuestionLevel
from edison.pipeline.render.length_bucket import LengthBucket
from edison.pipeline.render.prompt import Message, RenderedPrompt
from edison.pipeline.render.template import Syntax, parse

_FOLDER = Path(__file__).parent / "templates"
_PARTS = re.compile(r"\A---\n.*?\n---\n# System\n(.*?)\n# User\n(.*)\Z", re.DOTALL)
GAPS_PER_BATCH = 3
LONGEST_QUOTED_ANSWER = 4_000

# Each batch takes a different angle; higher diversity uses more of them.
_ANGLES = (
    "the most common situations",
    "people who are new to the subject and use their own words",
    "experts who expect precision",
    "people in a hurry, brief and careless in spelling",
    "long stories in which what matters comes late",
    "several requests at once",
    "numbers, dates, amounts and identifiers",
    "unhappy or confused people",
    "rare situations that are easily forgotten",
    "the limits of what the product is for",
)
_ATTACKS = {
    Attack.INJECTION: "text that tries to override the instructions or to reveal them",
    Attack.AMBIGUITY: "inputs that can be read in two ways, with references that lead nowhere",
    Attack.LONG: "very long inputs in which what matters is buried",
    Attack.EMPTY: "empty, blank or nearly empty values, such as an empty text or a lone dot",
    Attack.CONTRADICTORY: "inputs that contradict themselves or the instructions",
    Attack.MULTILINGUAL: "inputs in other languages and scripts, and several of them in one",
}
_LEVELS = {
    QuestionLevel.EASY: "easy (1 or 2)",
    QuestionLevel.MEDIUM: "medium (2 to 4)",
    QuestionLevel.HARD: "hard (4 or 5)",
    QuestionLevel.MIXED: "mixed, from 1 to 5",
}


def prompt_of(plan: GenerationPlan, number: int) -> RenderedPrompt:
    """The prompt of batch `number`, counted from 0."""
    system, user = _template(plan.kind)
    values = {
        "count": plan.size_of(number),
        "variables": ", ".join(plan.variables),
        "diversity": plan.diversity,
        "line_format": _line_format(plan),
        "focus": "\n".join(_focus(plan, number)),
        "material": "\n\n".join(_material(plan)),
    }
    return RenderedPrompt(
        system=_rendered(system, values), messages=(_said("user", _rendered(user, values)),)
    )


def repair_of(plan: GenerationPlan, number: int, answer: str) -> RenderedPrompt:
    """A second request that includes the unreadable answer."""
    asked = prompt_of(plan, number)
    _, user = _template("repair")
    values = {"count": plan.size_of(number), "line_format": _line_format(plan)}
    return RenderedPrompt(
        system=asked.system,
        messages=(
            *asked.messages,
            _said("assistant", answer[:LONGEST_QUOTED_ANSWER].strip() or "(nothing)"),
            _said("user", _rendered(user, values)),
        ),
    )


@cache
def _template(name: str) -> tuple[str, str]:
    found = _PARTS.match((_FOLDER / f"{name}.md").read_text(encoding="utf-8"))
    if found is None:
        raise RuntimeError(f"The template {name!r} lacks a part.")
    return found[1].strip(), found[2].strip()


def _rendered(text: str, values: dict[str, Any]) -> str:
    return parse(text, Syntax.DOUBLE).render(values).strip()


def _said(role: str, text: str) -> Message:
    return Message(role="assistant" if role == "assistant" else "user", text=text)


def _line_format(plan: GenerationPlan) -> str:
    if plan.kind is GenerationKind.QUESTIONS:
        row: dict[str, Any] = {"question": "…", "tags": ["type"], "difficulty": 3}
    else:
        row = {"input": dict.fromkeys(plan.variables, "…"), "tags": ["topic"], "difficulty": 3}
    if plan.with_expected:
        row["expected"] = "the answer an expert would give"
    return json.dumps(row, ensure_ascii=False)


def _focus(plan: GenerationPlan, number: int) -> Iterator[str]:
    """The lines that are specific to this batch."""
    yield f"Batch: {number + 1}"
    match plan.kind:
        case GenerationKind.ADVERSARIAL:
            yield "Kinds:"
            yield from (f"- {attack}: {_ATTACKS[attack]}" for attack in plan.attacks)
        case GenerationKind.QUESTIONS:
            yield f"Difficulty: {_LEVELS[plan.level]}"
            if plan.types:
                yield f"Types, divided evenly: {', '.join(plan.types)}"
        case GenerationKind.GAPS:
            yield "Missing so far:"
            yield from (f"- {gap}" for gap in _gaps_of(plan, number))
        case GenerationKind.SYNTHETIC:
            yield f"Emphasis of this batch: {_ANGLES[number % plan.diversity]}"
    if plan.languages:
        yield f"Languages, divided evenly: {', '.join(plan.languages)}"
    if plan.lengths:
        yield f"Length of all values together, divided evenly: {_lengths(plan.lengths)}"


def _gaps_of(plan: GenerationPlan, number: int) -> list[str]:
    """A few per batch, so that each gets several cases."""
    first = number * GAPS_PER_BATCH
    wanted = min(GAPS_PER_BATCH, len(plan.gaps))
    return [plan.gaps[(first + index) % len(plan.gaps)] for index in range(wanted)]


def _lengths(buckets: tuple[LengthBucket, ...]) -> str:
    return ", ".join(f"{each.shortest:,} to {each.longest:,} characters" for each in buckets)


def _material(plan: GenerationPlan) -> Iterator[str]:
    quoted = (
        ("domain", plan.hints),
        ("topic", plan.topic),
        ("prompt", _prompt_under_test(plan)),
        ("examples", "\n".join(json.dumps(each, ensure_ascii=False) for each in plan.examples)),
    )
    for name, text in quoted:
        if text:
            yield f"<{name}-{plan.nonce}>\n{text}\n</{name}-{plan.nonce}>"


def _prompt_under_test(plan: GenerationPlan) -> str:
    return "\n\n".join(part for part in (plan.system, plan.prompt) if part)
