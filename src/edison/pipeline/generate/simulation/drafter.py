"""Plays the assistant of the wizard: drafts objectives, rubrics and prompts, and improves texts."""

import json
import re
from typing import Any

from edison.pipeline.generate.simulation import luck
from edison.pipeline.generate.simulation.answerer import Chance
from edison.pipeline.generate.simulation.casework import VARIABLES
from edison.pipeline.generate.simulation.rubrics import Criterion
from edison.pipeline.generate.simulation.sections import sections
from edison.pipeline.generate.simulation.skeleton import drafts, topic_of
from edison.pipeline.generate.simulation.tasks.recognition import recognise
from edison.pipeline.generate.simulation.tasks.task import Task

_SUBJECT = re.compile(
    r"^(?:User hints|Hints|Objective|Goal|Prompt|Text|Current prompt|Domain)\s*:\s*\n?(.+?)"
    r"(?=\n\s*\n(?:Generate|Return|Rubric|Variables|Criteria)\b|\Z)",
    re.DOTALL | re.MULTILINE,
)
_WEIGHTS = {
    4: (0.35, 0.25, 0.25, 0.15),
    5: (0.3, 0.25, 0.2, 0.15, 0.1),
    6: (0.25, 0.2, 0.2, 0.15, 0.1, 0.1),
}
_COUNT = re.compile(
    r"\b(\d|two|three|four|five) (?:\w+ ){0,3}(?:options|objectives?|prompts?|approaches)", re.I
)
_NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5}
_KEY = re.compile(r"\"(improved\w*|text|objective|prompt|suggestion|result)\"\s*:")


def draft(text: str, chance: Chance) -> str:
    subject = _subject(text)
    task = recognise(subject)
    key = (text, *chance.key())
    reply: Any
    if re.search(
        r"\"criteria\"\s*:|(?:generate|propose|draft|create) (?:an? )?(?:\w+ ){0,3}rubric",
        text,
        re.I,
    ):
        reply = {"criteria": _rubric(subject, task, key)}
    elif re.search(
        r"\"prompts\"\s*:|prompt (?:approaches|variants)|draft (?:\w+ ){0,2}prompts", text, re.I
    ):
        reply = {"prompts": _prompts(subject, task, chance)[: _count(text)]}
    elif re.search(
        r"\"options\"\s*:|objective (?:options|statements)|draft (?:\w+ ){0,2}objectives",
        text,
        re.I,
    ):
        reply = {"options": _objectives(subject)[: _count(text)]}
    else:
        return _improved(text, subject, task, chance)
    return json.dumps(reply, ensure_ascii=False, indent=2)


def _subject(text: str) -> str:
    found = _SUBJECT.search(text)
    if found:
        return found[1].strip()
    parts = sections(text)
    return (parts.get("hints") or parts.get("goal") or parts.get("prompt") or text).strip()


def _count(text: str) -> int:
    asked = _COUNT.search(text)
    return (_NUMBERS.get(asked[1].lower()) or int(asked[1])) if asked else 3


def _objectives(subject: str) -> list[dict[str, str]]:
    hint = subject.strip().rstrip(".")[:600]
    hint = hint[:1].upper() + hint[1:]
    return [
        {"title": one["title"], "text": one["text"].replace("{hint}", hint)}
        for one in drafts()["objective"]
    ]


def _rubric(subject: str, task: Task, key: tuple[object, ...]) -> list[dict[str, Any]]:
    wanted = {
        aspect: sum(aspect in rule.aspects for rule in task.rules) for aspect in _aspects(task)
    }

    def fit(row: dict[str, str]) -> float:
        criterion = Criterion(name=row["name"], description=row["description"])
        fits = sum(wanted.get(aspect, 0) for aspect in criterion.aspects())
        asked = row["name"].lower()[:6] in subject.lower()
        return fits + 5 * asked + luck.uniform(row["name"], *key)

    size = 4 + int(luck.uniform("size", *key) * 3)
    chosen = sorted(drafts()["criterion"], key=fit, reverse=True)[:size]
    return [
        {**row, "weight": weight, "scale": {"min": 0, "max": 5}}
        for row, weight in zip(chosen, _WEIGHTS[size], strict=True)
    ]


def _aspects(task: Task) -> set[str]:
    return {aspect for rule in task.rules for aspect in rule.aspects}


def _prompts(subject: str, task: Task, chance: Chance) -> list[dict[str, str]]:
    variable = VARIABLES.get(task.key, "input")
    opening = subject.split("\n", 1)[0].strip().rstrip(".:")[:300] or "Do the task"
    known = sorted(task.rules, key=lambda rule: luck.uniform(rule.key, subject, *chance.key()))[
        : 2 + round(3 * chance.tier.craft)
    ]
    ends = f"\n\n{variable.capitalize()}:\n{{{{{variable}}}}}"
    numbered = "\n".join(f"{n}. {rule.directive}" for n, rule in enumerate(known, 1))
    hints = " ".join(rule.hint for rule in known)
    approaches = (
        (
            "Structured Approach",
            f"# Task\n{opening}.\n\n# Steps\n{numbered}{ends}",
            "Explicit steps leave little to chance.",
        ),
        (
            "Conversational Approach",
            f"Please help me with this: {opening}. {hints}{ends}",
            "Natural wording invites natural answers.",
        ),
        (
            "Minimal Approach",
            f"{opening}. {known[0].directive}{ends}",
            "Few words, few tokens; a baseline to compare with.",
        ),
    )
    return [
        {"name": name, "text": text, "systemText": "You are a careful assistant.", "rationale": why}
        for name, text, why in approaches
    ]


def _improved(text: str, subject: str, task: Task, chance: Chance) -> str:
    """One text, made better: an objective gets readers and success criteria, a prompt a rule."""
    is_prompt = re.search(r"\bprompt\b", text, re.I) is not None and "{{" in subject
    if is_prompt:
        rule = luck.pick(task.rules, subject, *chance.key())
        before, brace, after = subject.partition("{{")
        head, newline, label = before.rstrip("\n").rpartition("\n")
        better = f"{head}\n{rule.directive}{newline}{newline}{label}\n{brace}{after}".strip()
        if not head:
            better = f"{rule.directive}\n\n{subject}"
    else:
        better = f"{subject.rstrip()}\n\n{drafts()['additions']['objective']}"
    key = _KEY.search(text)
    if key:
        return json.dumps(
            {key[1]: better, "topic": topic_of(subject)}, ensure_ascii=False, indent=2
        )
    return better
