"""Perceived quality of an output per criterion, from its text alone."""

import json
import re

from edison.kit.lazy_dataclasses import dataclass
from edison.simulation import seeded
from edison.simulation.answerer import Chance
from edison.simulation.directives import Rule
from edison.simulation.facts import Facts, facts_of, overlap, word_count
from edison.simulation.habits import Habits
from edison.simulation.question_quality import question_impression, question_rationale
from edison.simulation.rubrics import SimulatedCriterion, read_rubric, scale_in
from edison.simulation.tasks.recognition import recognise
from edison.simulation.tasks.task import Task

# Halo effect: the overall quality influences every criterion.
_HALO = 0.25
_QUESTIONS = re.compile(
    r"evaluator of (?:test )?questions|question to (?:score|rate|judge)", re.IGNORECASE
)
_WRAPPED = re.compile(r"^\s*<response>(.*)</response>\s*$", re.DOTALL | re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Brief:
    """Input of a judge: the task as described by goal and rubric, the input and the criteria.
    `is_question`: the output is a test question.
    """

    task: Task
    facts: Facts
    criteria: tuple[SimulatedCriterion, ...]
    expected: str | None
    is_question: bool = False


def read_brief(parts: dict[str, str], frame: str) -> Brief:
    rubric = parts.get("rubric", "")
    criteria = read_rubric(rubric)
    if not criteria:
        low, high = scale_in(frame) or (1.0, 5.0)
        criteria = (
            SimulatedCriterion(name="Overall", description=rubric[:200], minimum=low, maximum=high),
        )
    task = recognise(parts.get("goal", ""))
    if task.key == "generic":
        task = recognise(f"{parts.get('goal', '')} {rubric}")
    return Brief(
        task=task,
        facts=facts_of(material_in(parts.get("input", ""))),
        criteria=criteria,
        expected=parts.get("expected"),
        is_question=bool(_QUESTIONS.search(frame)),
    )


def material_in(text: str) -> str:
    """Case inputs are JSON; the answer was written from their values."""
    try:
        value = json.loads(text)
    except ValueError:
        return text.strip()
    if isinstance(value, dict):
        return "\n\n".join(str(one) for one in value.values()).strip()
    return str(value)


def relevant_marks(brief: Brief, text: str, criterion: SimulatedCriterion) -> dict[Rule, float]:
    """How far the text meets the rules related to the criterion."""
    aspects = criterion.aspects()
    marks = brief.task.marks(brief.facts, text)
    return {r: mark for r, mark in marks.items() if not aspects.isdisjoint(r.aspects)} or marks


def impression(brief: Brief, output: str, criterion: SimulatedCriterion) -> float:
    """Perceived quality, 0 to 1, before noise and bias."""
    wrapped = _WRAPPED.match(output)
    text = wrapped[1] if wrapped else output
    if not text.strip():
        return 0.0
    if brief.is_question:
        return question_impression(text, criterion, has_material=bool(brief.facts.text))
    marks = relevant_marks(brief, text, criterion)
    weight = sum(rule.weight for rule in marks)
    own = sum(rule.weight * mark for rule, mark in marks.items()) / (weight or 1)
    own *= brief.task.substance(brief.facts, text)
    seen = (1 - _HALO) * own + _HALO * brief.task.quality(brief.facts, text)
    if brief.expected and criterion.aspects() <= {"accuracy", "completeness"}:
        seen = 0.7 * seen + 0.3 * overlap(brief.expected, text)
    return seen


def perceived(
    brief: Brief, output: str, criterion: SimulatedCriterion, chance: Chance, habits: Habits
) -> float:
    """Perceived quality with bias and noise; half of the noise is common to all criteria of the
    output.
    """
    spread = chance.tier.judge_noise * habits.noise
    about = (brief.facts.text, output, *chance.key())
    error = 0.7071 * (seeded.normal("mood", *about) + seeded.normal(criterion.name, *about))
    bias = habits.leniency + habits.verbosity * min(1.0, word_count(output) / 200)
    seen = impression(brief, output, criterion)
    if not output.strip():
        return 0.0
    return min(1.0, max(0.0, seen + bias + spread * error))


def as_score(value: float, criterion: SimulatedCriterion) -> int | float:
    span = criterion.maximum - criterion.minimum
    if span <= 1:
        return round(criterion.minimum + span * value, 2)
    return round(criterion.minimum + span * value)


def rationale(brief: Brief, output: str, criterion: SimulatedCriterion) -> str:
    if brief.is_question:
        return question_rationale(output, criterion, has_material=bool(brief.facts.text))
    marks = relevant_marks(brief, output, criterion)
    lapses = [rule.lapse for rule, mark in marks.items() if mark < 0.6]
    if not lapses:
        return "Meets the criterion; nothing important is missing."
    return " ".join(lapses[:2])
