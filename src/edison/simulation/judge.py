"""Simulates a judge that scores one output, in the form that the template asks for.

Its scores follow the hidden quality: over the answers to a poor and a good prompt the correlation
is at least 0.6 (small), 0.7 (medium) and 0.8 (large), in practice about 0.9.
"""

import json
import re
from collections.abc import Callable
from typing import Any

from edison.kit.lazy_dataclasses import dataclass
from edison.simulation import seeded
from edison.simulation.answerer import Chance
from edison.simulation.habits import Habits
from edison.simulation.sections import sections
from edison.simulation.verdicts import Brief, as_score, perceived, rationale, read_brief

_KEY = re.compile(r"\"(\w+)\"\s*:")
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+\.[\w.]+|\b\d{3}-\d{2}-\d{4}\b")
_TOXIC = re.compile(r"\b(?:idiot|stupid|moron|shut up|hate you)\b", re.IGNORECASE)
_JAILBREAK = re.compile(
    r"ignore (?:all )?previous instructions|disregard all prior|dan mode|pretend you are|"
    r"give (?:me|it|this)[^.\n]{0,30}(?:full marks|5|highest)",
    re.IGNORECASE,
)
_POLICY = re.compile(r"full refund right away|\bguarantee\b", re.IGNORECASE)
_FLAGS = {"policy": _POLICY, "pii": _EMAIL, "toxic": _TOXIC, "jailbreak": _JAILBREAK}


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedVerdict:
    """All values that a template may ask for."""

    brief: Brief
    output: str
    values: dict[str, float]

    def scores(self) -> dict[str, int | float]:
        return {c.name: as_score(self.values[c.name], c) for c in self.brief.criteria}

    def rationales(self) -> dict[str, str]:
        return {c.name: rationale(self.brief, self.output, c) for c in self.brief.criteria}

    def mean(self) -> float:
        return sum(self.values.values()) / len(self.values)

    def overall(self) -> int | float:
        return as_score(self.mean(), self.brief.criteria[0])

    def reason(self) -> str:
        return next(iter(self.rationales().values()))

    def rows(self) -> list[dict[str, Any]]:
        reasons = self.rationales()
        return [
            {"name": name, "score": score, "rationale": reasons[name]}
            for name, score in self.scores().items()
        ]


_FORMS: dict[str, Callable[[SimulatedVerdict], Any]] = {
    "scores": SimulatedVerdict.scores,
    "rationales": SimulatedVerdict.rationales,
    "reasons": SimulatedVerdict.rationales,
    "justifications": SimulatedVerdict.rationales,
    "criteria": SimulatedVerdict.rows,
    "score": SimulatedVerdict.overall,
    "rating": SimulatedVerdict.overall,
    "overall": SimulatedVerdict.overall,
    "grade": SimulatedVerdict.overall,
    "verdict": lambda verdict: "pass" if verdict.mean() >= 0.6 else "fail",
    "pass": lambda verdict: verdict.mean() >= 0.6,
    "passed": lambda verdict: verdict.mean() >= 0.6,
    "correct": lambda verdict: verdict.mean() >= 0.6,
    "rationale": SimulatedVerdict.reason,
    "reason": SimulatedVerdict.reason,
    "reasoning": SimulatedVerdict.reason,
    "explanation": SimulatedVerdict.reason,
    "justification": SimulatedVerdict.reason,
    "feedback": SimulatedVerdict.reason,
    "comment": SimulatedVerdict.reason,
}


def frame_of(text: str, parts: dict[str, str]) -> str:
    """The template around the quoted material."""
    for kind in ("output", "output_a", "output_b", "input", "expected", "rubric", "goal"):
        if len(parts.get(kind, "")) > 3:
            text = text.replace(parts[kind], " … ", 1)
    return text


def judge(text: str, chance: Chance, habits: Habits) -> str:
    parts = sections(text)
    frame = frame_of(text, parts)
    brief = read_brief(parts, frame)
    output = parts.get("output", "")
    verdict = SimulatedVerdict(
        brief=brief,
        output=output,
        values={c.name: perceived(brief, output, c, chance, habits) for c in brief.criteria},
    )
    if "json" not in frame.lower() and '"' not in frame:
        return _in_words(verdict, frame)
    reply = {key: _FORMS[key](verdict) for key in _asked(frame, brief)}
    flags = re.search(r"\"(safety_?[Ff]lags|flags)\"\s*:\s*\{([^}]*)\}", frame)
    if flags:
        reply[flags[1]] = {key: _is_flagged(key, output) for key in _KEY.findall(flags[2])}
    return broken(json.dumps(reply, ensure_ascii=False, indent=2), text, chance, habits)


def _asked(frame: str, brief: Brief) -> list[str]:
    """The keys that the template shows, except those of inner objects."""
    names = {criterion.name for criterion in brief.criteria}
    keys = [key for key in dict.fromkeys(_KEY.findall(frame)) if key in _FORMS and key not in names]
    if "criteria" in keys:
        return ["criteria", *(key for key in keys if key in {"overall", "verdict"})]
    return keys or ["scores", "rationales"]


def _is_flagged(name: str, output: str) -> bool:
    return any(part in name.lower() and found.search(output) for part, found in _FLAGS.items())


def _in_words(verdict: SimulatedVerdict, frame: str) -> str:
    if re.search(r"\bPASS\b.*\bFAIL\b", frame, re.DOTALL):
        return "PASS" if verdict.mean() >= 0.6 else "FAIL"
    if re.search(r"\byes\b.{0,12}\bno\b", frame, re.IGNORECASE):
        return "yes" if verdict.mean() >= 0.6 else "no"
    return f"Score: {verdict.overall()}\n{verdict.reason()}"


def broken(reply: str, text: str, chance: Chance, habits: Habits) -> str:
    """At the configured rate, returns JSON that is cut off, or malformed with prose before it."""
    key = ("json", text, *chance.key())
    if seeded.uniform(*key) >= habits.broken_json_rate:
        return reply
    if seeded.uniform("how", *key) < 0.5:
        return reply[: int(len(reply) * 0.8)]
    return f"Here is my verdict:\n\n{reply.replace(':', ' =', 1)}"
