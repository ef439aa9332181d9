"""Scores recorded answers with the scorers of their A/B test.

Models are called through the gateway, so calls count against the test's budget and appear in the
ledger. Answers of judges are cached, so after a crash they are not paid for again.
"""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.session import Database
from edison.kit.errors import Conflict, Exhausted, Invalid, NotFound
from edison.kit.lazy_dataclasses import dataclass
from edison.library.calls.gateway import CallContext, Gateway
from edison.library.models import service as models
from edison.library.models.service import CallableModel
from edison.loops.abtests import conclude
from edison.loops.abtests.evidence import plan_of
from edison.loops.abtests.models import AbAnswer, AbTest
from edison.loops.abtests.repository import AbAnswers, AbTests
from edison.loops.abtests.states import AnswerState
from edison.pipeline.generate.call import Parameters
from edison.pipeline.generate.path.fair_queue import CallGroup
from edison.pipeline.generate.path.question import Answer
from edison.pipeline.render.prompt import RenderedPrompt
from edison.pipeline.score.apply import ConfiguredScorer, ScorerConfig, apply, configure
from edison.pipeline.score.scorer import UNREADABLE, Scored, Subject
from edison.runs.plan.service import ScoringPlan
from edison.workspace.budgets.errors import BudgetExhausted

PURPOSE = "ab_test"
# Answers that are scored together.
AT_ONCE = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoring:
    """What it takes to score answers of a test."""

    labels: Sequence[str]
    scorers: Sequence[ConfiguredScorer]
    models: Mapping[UUID, CallableModel]


def freeze(plan: ScoringPlan) -> dict[str, Any]:
    """The scorers as stored in the configuration of a test when it starts."""
    return {
        "planned": [
            {
                "kind": each.kind,
                "label": each.label,
                "options": dict(each.options),
                "weight": each.weight,
                "threshold": each.threshold,
                "is_negated": each.is_negated,
            }
            for each in plan.scorers
        ],
        "model_ids": sorted(str(each) for each in plan.model_ids),
    }


async def score_pending(database: Database, gateway: Gateway, test: AbTest) -> bool:
    """Scores the oldest answers without a score. False if there are none, or the test has ended."""
    async with database.read() as session:
        pending = await AbAnswers(AbTests(session)).list_pending(test.id, limit=AT_ONCE)
        if not pending:
            return False
        try:
            scoring = await _open(session, test)
        except (Invalid, NotFound) as gone:
            problem: str | None = conclude.sentence_of(gone)
        else:
            problem = None
    if problem is not None:
        await conclude.fail(database, test.id, reason="cannot_score", message=problem)
        return False
    tools = _JudgeTools(gateway, test.id, scoring.models)
    outcomes = await asyncio.gather(
        *(_score(scoring, each, tools) for each in pending), return_exceptions=True
    )
    await gateway.flush()
    async with database.write() as session:
        answers = AbAnswers(AbTests(session))
        for answer, outcome in zip(pending, outcomes, strict=True):
            if not isinstance(outcome, BaseException):
                await answers.set_score(answer.id, outcome)
    refused = next((each for each in outcomes if isinstance(each, BaseException)), None)
    if refused is None:
        return True
    if isinstance(refused, BudgetExhausted):
        await conclude.run_out(database, test.id, message=refused.message)
    elif isinstance(refused, Conflict | Exhausted):
        await conclude.fail(database, test.id, reason="cannot_score", message=refused.message)
    else:
        raise refused
    return False


async def look_at_answers(database: Database, test_id: UUID) -> None:
    """Looks at the scores so far; the test ends if it is decided."""
    async with database.read() as session:
        test = await AbTests(session).find(test_id)
        if test is None:
            return
        scores = await conclude.read_scores(session, test)
    result = await conclude.look_at(scores, plan_of(test))
    async with database.write() as session:
        locked = await conclude.lock_running(session, test_id)
        if locked is not None:
            await conclude.store_look(session, locked, result)


async def _open(session: AsyncSession, test: AbTest) -> Scoring:
    """Raises Invalid, and NotFound when a judge was deleted."""
    planned = test.config["planned"]
    return Scoring(
        labels=[each["label"] for each in planned],
        scorers=[
            configure(
                ScorerConfig(
                    kind=each["kind"],
                    options=each["options"],
                    threshold=each["threshold"],
                    weight=each["weight"],
                    is_negated=each["is_negated"],
                )
            )
            for each in planned
        ],
        models={
            UUID(each): await models.get_callable(
                session, project_id=test.project_id, model_id=UUID(each)
            )
            for each in test.config["model_ids"]
        },
    )


async def _score(scoring: Scoring, answer: AbAnswer, tools: "_JudgeTools") -> dict[str, Any]:
    """The columns of a scored answer."""
    subject = Subject(text=answer.answer, expected=answer.expected, inputs=answer.inputs)
    scored = [await apply(each, subject, tools) for each in scoring.scorers]
    weights = [each.config.weight for each in scoring.scorers]
    value = weigh(scored, weights)
    return {
        "state": AnswerState.UNSCORED if value is None else AnswerState.SCORED,
        "score": value,
        "scores": [
            {
                "label": label,
                "value": each.value,
                "flag": None if each.flag is None else each.flag.value,
                "rationale": each.rationale,
            }
            for label, each in zip(scoring.labels, scored, strict=True)
        ],
        "cost_nanos": sum(each.cost_nanos or 0 for each in scored),
    }


def weigh(scored: Sequence[Scored], weights: Sequence[float]) -> float | None:
    """The weighted mean of the scores that could be obtained; None without any."""
    known = [
        (each.value, weight)
        for each, weight in zip(scored, weights, strict=True)
        if each.value is not None and each.flag not in UNREADABLE and weight > 0
    ]
    total = sum(weight for _, weight in known)
    if not total:
        return None
    return round(min(1.0, max(0.0, sum(value * weight for value, weight in known) / total)), 12)


class _JudgeTools:
    """Lets scorers call models on behalf of a test."""

    def __init__(
        self, gateway: Gateway, test_id: UUID, judges: Mapping[UUID, CallableModel]
    ) -> None:
        self._gateway = gateway
        self._judges = judges
        self._context = CallContext(
            purpose=PURPOSE,
            scope_ids=(test_id,),
            call_group=CallGroup(key=f"{PURPOSE}:{test_id}"),
        )

    async def ask(self, model_id: UUID, prompt: RenderedPrompt, parameters: Parameters) -> Answer:
        return await self._gateway.answer(
            self._judges[model_id], prompt, parameters, context=self._context
        )
