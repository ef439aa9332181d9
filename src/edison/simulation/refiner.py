"""Simulates a prompt engineer: reads failing examples and proposes a small edit, which may be poor.

If the request asks for a diff, the answer is `<diff>` and `<note>`, else the whole prompt in a
fence. If the request allows it, some edits go to the system text or add a few-shot example instead.
"No change" is a valid answer: a `<diff>` that contains only a line break and a `<note>` with the
reason, or the unchanged prompt. Parsers must not treat an empty diff as broken.
"""

import difflib
import re

from edison.kit.lazy_dataclasses import dataclass
from edison.simulation import seeded
from edison.simulation.answerer import Chance
from edison.simulation.directives import SPECIFIC, VAGUE, Rule, directions, precision
from edison.simulation.examples import examples_in, unwelcome_in
from edison.simulation.facts import facts_of
from edison.simulation.habits import Habits
from edison.simulation.other_parts import other_parts, with_example, with_sentences
from edison.simulation.prompt_reader import read
from edison.simulation.request import ChatRequest
from edison.simulation.rubrics import SimulatedCriterion
from edison.simulation.sections import sections, unquoted
from edison.simulation.sentences import is_instruction, split_sentences
from edison.simulation.tasks.recognition import recognise
from edison.simulation.tasks.task import Task

_WEAK = re.compile(
    r"^\s*[-*]\s*\*\*(.+?)\*\*[^:\n]*:?\s*(.*)$|^\s*[-*]\s*([A-Z][\w ]{2,40}?)\b[^:\n]*:\s*(.*)$",
    re.M,
)
# How often an edit becomes a few-shot example, or goes to the system text.
_SHOWN_RATE, _SYSTEM_RATE = 0.25, 0.2
_FLUFF = (
    "Always do your very best and take a deep breath.",
    "Remember that quality matters more than anything.",
    "You are a world-class expert in this field.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    rule: Rule | None
    sentence: str


def refine(text: str, chance: Chance, habits: Habits) -> str:
    parts = sections(text)
    prompt = parts.get("prompt", "")
    others = other_parts(text)
    read_prompt = read(ChatRequest.from_text(prompt, system=others.system or None))
    told = read_prompt.instructions or prompt
    task = recognise(f"{told}\n{parts.get('goal', '')}")
    wants_diff = re.search(r"unified diff|<diff>", unquoted(text)) is not None
    edits = _choose(text, parts, task, told, chance) if prompt.strip() else []
    if not edits:
        return _no_change(prompt, wants_diff)
    if others.is_offered and (section := _elsewhere(text, parts, task, edits, chance)):
        is_shown = section.startswith("<few_shots>")
        return f"<diff>\n</diff>\n\n{section}\n\n<note>\n{_note(edits, is_shown)}\n</note>"
    revised = prompt
    for edit in edits:
        revised = _apply(revised, edit)
    if not wants_diff:
        return f"{_note(edits)}\n\n```\n{revised}\n```"
    diff = unified(prompt, revised)
    if seeded.uniform("diff", text, *chance.key()) < habits.broken_diff_rate:
        diff = re.sub(r"@@ -(\d+)", lambda m: f"@@ -{int(m[1]) + 90}", diff, count=1)
        diff = diff.replace("\n ", "\n  ")
    return f"<diff>\n{diff}\n</diff>\n\n<note>\n{_note(edits)}\n</note>"


def _elsewhere(
    text: str, parts: dict[str, str], task: Task, edits: list[Edit], chance: Chance
) -> str | None:
    """The edits as another part of the prompt; None if they belong into the main text."""
    others = other_parts(text)
    draw = seeded.uniform("part", text, *chance.key())
    if draw < _SHOWN_RATE:
        aims = {edit.rule.key for edit in edits if edit.rule is not None}
        return with_example(others, parts, task, aims=aims, unwelcome=unwelcome_in(parts))
    if draw < _SHOWN_RATE + _SYSTEM_RATE:
        return with_sentences(others, [edit.sentence for edit in edits])
    return None


def unified(before: str, after: str) -> str:
    return "\n".join(
        difflib.unified_diff(
            before.splitlines(), after.splitlines(), "a/prompt.txt", "b/prompt.txt", lineterm=""
        )
    )


def _choose(text: str, parts: dict[str, str], task: Task, told: str, chance: Chance) -> list[Edit]:
    precisions = directions(told, task.rules).precisions
    open_rules = [
        rule for rule, stated in zip(task.rules, precisions, strict=True) if stated < SPECIFIC
    ]
    evidence = _evidence(text, parts, task)
    seen = [rule for rule in open_rules if evidence.get(rule.key, 0) > 0]
    if not seen or not open_rules:
        return []
    key = (text, *chance.key())
    ranked = sorted(
        seen, key=lambda rule: -evidence[rule.key] * (0.6 + 0.8 * seeded.uniform(rule.key, *key))
    )
    budget = max(160, int(0.15 * len(parts.get("prompt", ""))))
    edits: list[Edit] = []
    unwelcome = unwelcome_in(parts)
    # A second edit only at the rate of the model's craft.
    most = 2 if seeded.uniform("second", *key) < chance.tier.craft else 1
    worded = (_worded(rule, precisions[task.rules.index(rule)], chance, key) for rule in ranked)
    fresh = [edit for edit in worded if edit is None or edit.sentence not in unwelcome]
    for edit in fresh[:most]:
        if edit and sum(len(one.sentence) + 3 for one in (*edits, edit)) <= budget:
            edits.append(edit)
    return edits


def _worded(rule: Rule, stated: float, chance: Chance, key: tuple[object, ...]) -> Edit | None:
    """Specific at the rate of the model's craft; else vague, or irrelevant."""
    draw, craft = seeded.uniform("craft", rule.key, *key), chance.tier.craft
    if draw < craft:
        return Edit(rule=rule, sentence=rule.directive)
    if draw < craft + 0.5 * (1 - craft):
        return Edit(rule=rule, sentence=rule.hint) if stated < VAGUE else None
    return Edit(rule=None, sentence=seeded.pick(_FLUFF, rule.key, *key))


def _evidence(text: str, parts: dict[str, str], task: Task) -> dict[str, float]:
    """How often each rule is visibly broken in the examples; doubled where a criterion is weak."""
    weak: set[str] = set()
    for found in _WEAK.finditer(parts.get("weak", "")):
        name, said = found[1] or found[3], found[2] or found[4] or ""
        weak |= SimulatedCriterion(name=name, description=said).aspects()
    counts: dict[str, float] = {}
    for material, output in examples_in(text, parts):
        for rule, mark in task.marks(facts_of(material), output).items():
            if mark < 0.6:
                counts[rule.key] = counts.get(rule.key, 0) + rule.weight
    for rule in task.rules:
        counts[rule.key] = counts.get(rule.key, 0) + rule.weight * text.count(rule.lapse)
        if weak & set(rule.aspects):
            counts[rule.key] *= 2
    return counts


def _apply(prompt: str, edit: Edit) -> str:
    lines = prompt.split("\n")
    vague = _vague_line(lines, edit)
    last = _last_instruction(lines)
    if vague is not None:
        number, sentence = vague
        lines[number] = lines[number].replace(sentence, edit.sentence, 1)
    elif last is None:
        lines.insert(0, edit.sentence)
    else:
        bullet = re.match(r"\s*[-*•] ", lines[last])
        lines.insert(last + 1, f"{bullet[0] if bullet else ''}{edit.sentence}")
    return "\n".join(lines)


def _vague_line(lines: list[str], edit: Edit) -> tuple[int, str] | None:
    """Finds a sentence that states the rule vaguely, to replace it instead of repeating it."""
    if edit.rule is None:
        return None
    for number, line in enumerate(lines):
        for sentence in split_sentences(line) if "{{" not in line else []:
            if 0 < precision(edit.rule, sentence) < SPECIFIC and line.count(sentence) == 1:
                return number, sentence
    return None


def _last_instruction(lines: list[str]) -> int | None:
    """The line after which a new instruction belongs; never within the material at the end."""
    limit = next((n for n, line in enumerate(lines) if "{{" in line), len(lines))
    told = [
        number
        for number, line in enumerate(lines[:limit])
        if any(is_instruction(sentence) for sentence in split_sentences(line))
    ]
    return told[-1] if told else None


def _note(edits: list[Edit], is_shown: bool = False) -> str:
    """`is_shown`: an example shows the rules instead of sentences."""
    what_changes = "Added an example that shows this" if is_shown else "Added or sharpened"
    lines = []
    for edit in edits:
        why = edit.rule.lapse if edit.rule else "The answers lack care."
        what = ", ".join(edit.rule.aspects[:2]) if edit.rule else "overall quality"
        lines.append(f"- {what_changes}: {edit.sentence} Why: {why} Targets: {what}.")
    return "\n".join(lines)


def _no_change(prompt: str, wants_diff: bool) -> str:
    note = "No change needed: the examples show nothing that an instruction would cure."
    if wants_diff:
        return f"<diff>\n</diff>\n\n<note>\n{note}\n</note>"
    return f"{note}\n\n```\n{prompt}\n```"
