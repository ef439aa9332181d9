"""Simulates the wizard's assistant: drafts objectives, rubrics and prompts, and improves texts."""

import json
import re
from typing import Any

from edison.simulation import seeded
from edison.simulation.answerer import Chance
from edison.simulation.casework import VARIABLES
from edison.simulation.directives import SPECIFIC, directions
from edison.simulation.rubrics import SimulatedCriterion
from edison.simulation.sections import sections, unquoted
from edison.simulation.sentences import split_sentences
from edison.simulation.skeleton import drafts
from edison.simulation.tasks.recognition import recognise
from edison.simulation.tasks.task import Task

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
_THESE_VARIABLES = re.compile(r"[Uu]se these variables[^:\n]*:\s*([^\n]+)")
_QUESTION = re.compile(r"\bimprove (?:the|this) question\b", re.IGNORECASE)
_VARIABLE = re.compile(r"\{\{[ \t]*\w+[ \t]*\}\}|\{[ \t]*\w+[ \t]*\}")
_LONGEST_OBJECTIVE = 2000
_KEY = re.compile(r"\"(improved\w*|text|objective|prompt|suggestion|result)\"\s*:")


def draft(text: str, chance: Chance) -> str:
    parts = sections(text)
    frame = _frame(text, parts)
    subject = _subject(text, parts)
    task = recognise(subject)
    key = (text, *chance.key())
    reply: Any
    if re.search(
        r"\"criteria\"\s*:|(?:generate|propose|draft|create) (?:an? )?(?:\w+ ){0,3}rubric",
        frame,
        re.I,
    ):
        reply = {"criteria": _rubric(subject, task, key)}
    elif re.search(
        r"\"prompts\"\s*:|prompt (?:approaches|variants)|draft (?:\w+ ){0,2}prompts", frame, re.I
    ):
        reply = {"prompts": _prompts(subject, frame, task, chance)[: _count(frame)]}
    elif re.search(
        r"\"options\"\s*:|objective (?:options|statements)|draft (?:\w+ ){0,2}objectives",
        frame,
        re.I,
    ):
        reply = {"options": _objectives(subject)[: _count(frame)]}
    else:
        if _QUESTION.search(frame):
            subject = parts.get("input") or subject
        return _improved(frame, parts.get("prompt") or subject, task, chance)
    return json.dumps(reply, ensure_ascii=False, indent=2)


def _frame(text: str, parts: dict[str, str]) -> str:
    """The template without the user's text."""
    goal = parts.get("goal", "")
    frame = unquoted(text)
    return frame.replace(goal, " … ") if len(goal) > 20 else frame


def _subject(text: str, parts: dict[str, str]) -> str:
    found = _SUBJECT.search(text)
    if found:
        return found[1].strip()
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
        criterion = SimulatedCriterion(name=row["name"], description=row["description"])
        fits = sum(wanted.get(aspect, 0) for aspect in criterion.aspects())
        asked = row["name"].lower()[:6] in subject.lower()
        return fits + 5 * asked + seeded.uniform(row["name"], *key)

    size = 4 + int(seeded.uniform("size", *key) * 3)
    chosen = sorted(drafts()["criterion"], key=fit, reverse=True)[:size]
    return [
        {**row, "weight": weight, "scale": {"min": 0, "max": 5}}
        for row, weight in zip(chosen, _WEIGHTS[size], strict=True)
    ]


def _aspects(task: Task) -> set[str]:
    return {aspect for rule in task.rules for aspect in rule.aspects}


def _prompts(subject: str, frame: str, task: Task, chance: Chance) -> list[dict[str, str]]:
    opening = subject.split("\n", 1)[0].strip().rstrip(".:")[:300] or "Do the task"
    known = sorted(task.rules, key=lambda rule: seeded.uniform(rule.key, subject, *chance.key()))[
        : 2 + round(3 * chance.tier.craft)
    ]
    ends = _materials(frame, task)
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
    system = "system" if '"system"' in frame else "systemText"
    return [
        {"name": name, "text": text, system: "You are a careful assistant.", "rationale": why}
        for name, text, why in approaches
    ]


def _materials(frame: str, task: Task) -> str:
    """A label and a placeholder for each named variable or, if none is named, for the task's
    default one.
    """
    asked = _THESE_VARIABLES.search(frame)
    written = _VARIABLE.findall(asked[1]) if asked else []
    usual = VARIABLES.get(task.key, "input")
    return "".join(
        f"\n\n{one.strip('{} ').capitalize()}:\n{one}" for one in written or [f"{{{{{usual}}}}}"]
    )


def _improved(frame: str, subject: str, task: Task, chance: Chance) -> str:
    """Improves one text: adds readers and success criteria to an objective, or a rule to a
    prompt.
    """
    is_prompt = re.search(r"\bprompt\b", frame, re.I) is not None and bool(
        _VARIABLE.search(subject)
    )
    if is_prompt:
        better = _with_lines(subject, _rules_for(frame, subject, task, chance))
    else:
        kind = "details" if re.search(r"\badd details\b", frame, re.I) else "objective"
        if _QUESTION.search(frame):
            kind = "question"
        better = _with_addition(subject.rstrip(), drafts()["additions"][kind])
    key = _KEY.search(frame)
    if not key:
        return better
    reply = {key[1]: better}
    if '"changes"' in frame:
        reply["changes"] = _changes(subject, better)
    return json.dumps(reply, ensure_ascii=False, indent=2)


def _rules_for(frame: str, prompt: str, task: Task, chance: Chance) -> list[str]:
    """One missing instruction or, when constraints are requested, two, prohibitions first."""
    stated = directions(prompt, task.rules).precisions
    missing = [rule for rule, how in zip(task.rules, stated, strict=True) if how < SPECIFIC]
    key = (prompt, *chance.key())
    is_asked = re.search(r"\badd constraints\b", frame, re.I) is not None
    ranked = sorted(
        missing,
        key=lambda rule: (is_asked and not rule.forbids, seeded.uniform(rule.key, *key)),
    )
    found = [rule.directive for rule in ranked[: 2 if is_asked else 1]]
    return found or [drafts()["additions"]["prompt"]]


def _with_lines(prompt: str, lines: list[str]) -> str:
    """Inserts the lines before the paragraph with the first variable."""
    fresh = [line for line in lines if line not in prompt]
    if not fresh:
        return prompt
    added = "\n".join(fresh)
    found = _VARIABLE.search(prompt)
    cut = prompt.rfind("\n\n", 0, found.start()) if found else -1
    return f"{prompt[:cut]}\n{added}{prompt[cut:]}" if cut > 0 else f"{added}\n\n{prompt}"


def _with_addition(text: str, addition: str) -> str:
    if addition in text:
        return text
    return f"{text[: _LONGEST_OBJECTIVE - len(addition) - 2]}\n\n{addition}"


def _changes(before: str, after: str) -> str:
    kept = set(split_sentences(before))
    added = [sentence for sentence in split_sentences(after) if sentence not in kept]
    return f"Added: {' '.join(added)}" if added else "Nothing had to change."
