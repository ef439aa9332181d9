"""Throughput of scorers without model calls, and overhead of a judge over its model call."""

import asyncio
import json
import time
from itertools import pairwise
from typing import Any
from uuid import UUID

from benchmarks.figures import Figure
from edison.pipeline.generate.call import Parameters
from edison.pipeline.generate.outcome import Completion, FinishReason
from edison.pipeline.generate.path.question import Answer
from edison.pipeline.render.prompt import RenderedPrompt
from edison.pipeline.score.apply import ConfiguredScorer, ScorerConfig, apply, configure
from edison.pipeline.score.compare import compare
from edison.pipeline.score.registry import open_comparer
from edison.pipeline.score.scorer import Subject

ANSWERS = 500
ROUNDS = 3
# A run stores a few thousand cells a second and must not wait for its scorers.
LEAST_PER_SECOND = 5_000
# Scorers whose work grows faster than the text.
LEAST_OF_SLOW_ONES = 500
SLOW_ONES = {"bleu", "rouge_l", "embedding_similarity", "judge_panel of 3", "pairwise_judge"}

MODEL = str(UUID(int=1))
EXPECTED = (
    "Thank you for your message. We are sorry that your parcel has not arrived yet. It left our "
    "warehouse on Monday and should reach you by Friday; if it does not, write to us again and we "
    "send you a new one or your money back, whichever you prefer. Kind regards, your support team. "
) * 2
WORDS = EXPECTED.replace("sorry", "very sorry").replace("Friday", "Saturday").split()
CRITERIA = [
    {"name": "Help", "description": "Offers a refund or a new parcel."},
    {"name": "Care", "description": "Says sorry for the trouble made."},
]
OPTIONS: dict[str, dict[str, Any]] = {
    "exact": {},
    "contains": {"phrases": ["parcel", "money back", "nowhere"]},
    "regex": {"pattern": r"\b(?:Mon|Fri|Satur)day\b.*regards"},
    "starts_with": {"text": "thank you"},
    "json_valid": {},
    "json_schema": {"definition": '{"type": "object", "required": ["total"]}'},
    "word_overlap": {},
    "levenshtein": {},
    "bleu": {},
    "rouge_l": {},
    "length": {"maximum": 200},
    "numeric_tolerance": {},
    "embedding_similarity": {},
}


class InstantJudge:
    """Returns the same verdict without delay."""

    def __init__(self, verdict: object) -> None:
        said = Completion(
            text=json.dumps(verdict), finish_reason=FinishReason.STOP, usage=None, model="instant"
        )
        self._answer = Answer(
            outcome=said,
            attempts=1,
            cost_nanos=0,
            is_cached=False,
            waited_seconds=0,
            price_version=None,
            cache_key="",
        )

    async def ask(self, model_id: UUID, prompt: RenderedPrompt, parameters: Parameters) -> Answer:
        return self._answer


def measure() -> list[Figure]:
    figures = [_figure(kind, asyncio.run(_scored(kind))) for kind in OPTIONS]
    figures.append(_figure("judge_panel of 3", asyncio.run(_judged())))
    figures.append(_figure("pairwise_judge", asyncio.run(_compared())))
    return figures


def _figure(name: str, seconds: float) -> Figure:
    least = LEAST_OF_SLOW_ONES if name in SLOW_ONES else LEAST_PER_SECOND
    return Figure(
        name=f"{name}, {len(WORDS)} words",
        value=f"{1 / seconds:,.0f}/s",
        target=f"> {least:,}/s",
        is_met=1 / seconds > least,
    )


def _subjects() -> list[Subject]:
    """Distinct answers, so that caches do not help."""
    return [
        Subject(text=f"{' '.join(WORDS[: -1 - at % 5])} {at}", expected=EXPECTED)
        for at in range(ANSWERS)
    ]


async def _scored(kind: str) -> float:
    return await _fastest(configure(ScorerConfig(kind=kind, options=OPTIONS[kind])), None)


async def _judged() -> float:
    options = {"judges": [MODEL, str(UUID(int=2)), str(UUID(int=3))], "criteria": CRITERIA}
    judge = InstantJudge(
        {"rationales": {"Help": "Yes.", "Care": "Yes."}, "scores": {"Help": 4, "Care": 5}}
    )
    panel = configure(ScorerConfig(kind="judge_panel", options=options))
    return await _fastest(panel, judge)


async def _fastest(scorer: ConfiguredScorer, judge: InstantJudge | None) -> float:
    """CPU seconds per answer in the best of several rounds."""
    subjects, tools = _subjects(), judge or InstantJudge(None)
    await apply(scorer, subjects[0], tools)
    rounds = []
    for _ in range(ROUNDS):
        started = time.process_time()
        for subject in subjects:
            await apply(scorer, subject, tools)
        rounds.append((time.process_time() - started) / len(subjects))
    return min(rounds)


async def _compared() -> float:
    comparer = open_comparer("pairwise_judge", {"model_id": MODEL, "criteria": CRITERIA})
    subjects, tools = _subjects(), InstantJudge({"reasons": ["Nicer."], "winner": "A"})
    rounds = []
    for _ in range(ROUNDS):
        started = time.process_time()
        for first, second in pairwise(subjects):
            await compare(comparer, first, second, tools)
        rounds.append((time.process_time() - started) / (len(subjects) - 1))
    return min(rounds)
