"""Vectors recorded from promptfoo, and the comparison of Edison's verdicts with them."""

import json
import math
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from edison.pipeline.score.assertions.evaluate import evaluate_row
from edison.pipeline.score.assertions.model import (
    Assertion,
    AssertionRow,
    AssertionVerdict,
    GraderFailed,
    Response,
    RowError,
    Services,
)
from edison.pipeline.score.assertions.read import read_assertions

FOLDER = Path(__file__).parents[1] / "data" / "promptfoo"
PROMPT = "Conformance case."
NEAR = 1e-6


def vectors(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((FOLDER / f"{name}.json").read_text())
    return found


def row_of(vector: Mapping[str, Any]) -> AssertionRow:
    given = vector.get("response", {})
    log_probs = given.get("logProbs")
    response = Response(
        cost=given.get("cost"),
        latency_ms=given.get("sleepMs", 0) + 3.0,
        finish_reason=given.get("finishReason"),
        log_probs=None if log_probs is None else tuple(log_probs),
        guardrails=given.get("guardrails"),
        metadata=given.get("metadata"),
    )
    return AssertionRow(
        output=vector["output"],
        vars=vector.get("vars", {}),
        prompt=PROMPT,
        response=response,
        provider=vector.get("providerConfig", {}),
        options=vector.get("options", {}),
    )


async def verdict_on(vector: Mapping[str, Any], services: Services) -> AssertionVerdict | None:
    """None when the row is an error."""
    assertions = read_assertions(vector["assert"])
    threshold = vector.get("threshold")
    try:
        return await evaluate_row(
            assertions, row_of(vector), threshold=threshold, services=services
        )
    except RowError:
        return None


def find_difference(found: AssertionVerdict | None, expected: Mapping[str, Any]) -> str | None:
    """Compares verdict, score, components and named scores; not the reasons."""
    if found is None:
        return None if "error" in expected else "an error"
    if "error" in expected:
        return f"no error, but {found.is_passed} {found.score}"
    if found.is_passed is not expected["pass"] or not _is_near(found.score, expected["score"]):
        return f"{found.is_passed} {found.score}: {found.reason}"
    components = [(each.type, each.is_passed, each.score) for each in found.components]
    wanted = [
        (each["type"], each["pass"], each["score"]) for each in expected.get("components", ())
    ]
    if len(components) != len(wanted) or not all(
        one[:2] == two[:2] and _is_near(one[2], two[2])
        for one, two in zip(components, wanted, strict=True)
    ):
        return f"components {components}"
    named = expected.get("namedScores", {})
    if found.named_scores.keys() != named.keys() or not all(
        _is_near(found.named_scores[name], value) for name, value in named.items()
    ):
        return f"named scores {dict(found.named_scores)}"
    return None


def _is_near(found: float, expected: float | None) -> bool:
    if expected is None:
        return not math.isfinite(found)
    return abs(found - expected) <= NEAR


def table(groups: Counter[str], wrong: Counter[str]) -> str:
    """Agreement by group, for the output of a failed test."""
    lines = [f"{name}: {count - wrong[name]} of {count}" for name, count in groups.items()]
    return "\n".join(lines)


class ScriptedGrader:
    """Gives the recorded replies, the last one again and again, and the recorded vectors."""

    def __init__(self, script: Mapping[str, Any]) -> None:
        self._replies = list(script.get("replies") or [])
        self._embeddings = script.get("embeddings") or {}
        self.asked: list[list[dict[str, str]]] = []

    async def ask(self, assertion: Assertion, messages: list[dict[str, str]]) -> str:
        self.asked.append(messages)
        reply = self._replies[min(len(self.asked), len(self._replies)) - 1]
        if isinstance(reply, dict):
            raise GraderFailed(reply["message"])
        return str(reply)

    async def embed(self, assertion: Assertion, text: str) -> list[float]:
        if text not in self._embeddings:
            raise GraderFailed("There is no such vector.")
        return list(self._embeddings[text])
