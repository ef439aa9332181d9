"""The parts of a prompt besides its main text, as a request to the refiner shows them, and the
refiner's changes of them.
"""

import json
import re
from collections.abc import Collection

from edison.kit.lazy_dataclasses import dataclass
from edison.simulation.examples import expected_in
from edison.simulation.facts import facts_of
from edison.simulation.tasks.task import Task

# Only quoted parts have a number; the form of the reply uses the same names without one.
_MARKED = re.compile(r"<(system_text|few_shots)([-_:]\d{4,})>\n?(.*?)\n?</\1\2>", re.DOTALL)
_OFFERED = re.compile(r"^<few_shots>", re.MULTILINE)
_MOST_SHOTS = 4
_LONGEST = 4_000
_SMALL_ADDITION = 160


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherParts:
    """`shots` are worked examples: question and answer. `is_offered`: the reply may change them."""

    system: str = ""
    shots: tuple[tuple[str, str], ...] = ()
    is_offered: bool = False


def other_parts(text: str) -> OtherParts:
    found: dict[str, str] = {}
    for match in _MARKED.finditer(text):
        found.setdefault(match[1], match[3])
    return OtherParts(
        system=found.get("system_text", ""),
        shots=_shots(found.get("few_shots", "[]")),
        is_offered=_OFFERED.search(text) is not None,
    )


def _shots(part: str) -> tuple[tuple[str, str], ...]:
    try:
        return tuple((str(row["user"]), str(row["assistant"])) for row in json.loads(part))
    except (ValueError, TypeError, KeyError):
        return ()


def with_example(
    others: OtherParts, parts: dict[str, str], task: Task, *, aims: Collection[str], unwelcome: str
) -> str | None:
    """The section of few-shot examples with one more: a failing case with its expected answer, if
    that meets a rule whose key is in `aims`. None when there is no such case.
    """
    if len(others.shots) >= _MOST_SHOTS:
        return None
    # They could be taken for variables.
    brace = "{{" if "{{" in parts.get("prompt", "") else "{"
    for material, expected in expected_in(parts):
        is_usable = bool(material.strip()) and brace not in material + expected
        if not is_usable or max(len(material), len(expected)) > _LONGEST:
            continue
        is_known = material in {asked for asked, _ in others.shots} or expected in unwelcome
        marks = task.marks(facts_of(material), expected)
        if not is_known and any(rule.key in aims and mark > 0.9 for rule, mark in marks.items()):
            shots = (*others.shots, (material, expected))
            rows = [{"user": asked, "assistant": said} for asked, said in shots]
            return f"<few_shots>\n{json.dumps(rows, ensure_ascii=False)}\n</few_shots>"
    return None


def with_sentences(others: OtherParts, sentences: Collection[str]) -> str | None:
    """The section of the system text with more sentences; None when they are too long for it."""
    added = " ".join(sentences)
    if len(added) > _SMALL_ADDITION - 1:
        return None
    system = f"{others.system}\n{added}" if others.system else added
    return f"<system_text>\n{system}\n</system_text>"
