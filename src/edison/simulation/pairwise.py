"""Simulates a judge that compares two outputs, with a bias for the one shown first."""

import json

from edison.simulation import luck
from edison.simulation.answerer import Chance
from edison.simulation.habits import Habits
from edison.simulation.judge import broken, frame_of
from edison.simulation.sections import sections
from edison.simulation.verdicts import Brief, as_score, perceived, rationale, read_brief

_TOO_CLOSE = 0.03


def compare(text: str, chance: Chance, habits: Habits) -> str:
    parts = sections(text)
    frame = frame_of(text, parts)
    brief = read_brief(parts, frame)
    outputs = {"A": parts.get("output_a", ""), "B": parts.get("output_b", "")}
    values = {
        side: {c.name: perceived(brief, output, c, chance, habits) for c in brief.criteria}
        for side, output in outputs.items()
    }
    means = {side: sum(row.values()) / len(row) for side, row in values.items()}
    winner = _winner(means, outputs, chance, habits)
    verdict = {
        "winner": winner,
        "reasons": _reasons(brief, outputs, winner),
        "scores": {
            side: {c.name: as_score(row[c.name], c) for c in brief.criteria}
            for side, row in values.items()
        },
    }
    if '"scores"' not in frame:
        del verdict["scores"]
    if "json" not in frame.lower() and '"' not in frame:
        return winner
    for other in ("preferred", "preference", "better"):
        if f'"{other}"' in frame and '"winner"' not in frame:
            verdict = {other: winner, "reasons": verdict["reasons"]}
    return broken(json.dumps(verdict, ensure_ascii=False, indent=2), text, chance, habits)


def _winner(
    means: dict[str, float], outputs: dict[str, str], chance: Chance, habits: Habits
) -> str:
    if outputs["A"] == outputs["B"]:
        return "tie"
    # Weak judges have a larger bias, at most twice the setting.
    lean = habits.position * min(2.0, chance.tier.judge_noise * habits.noise / 0.11)
    wobble = 0.02 * habits.noise * luck.normal("pair", *outputs.values(), *chance.key())
    ahead = means["A"] - means["B"] + lean + wobble
    if abs(ahead) < _TOO_CLOSE:
        return "tie"
    return "A" if ahead > 0 else "B"


def _reasons(brief: Brief, outputs: dict[str, str], winner: str) -> list[str]:
    if winner == "tie":
        return ["Both outputs are about equally good."]
    loser = "B" if winner == "A" else "A"
    first = brief.criteria[0]
    return [
        f"Output {winner}: {rationale(brief, outputs[winner], first)}",
        f"Output {loser}: {rationale(brief, outputs[loser], first)}",
    ]
