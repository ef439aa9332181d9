"""Test bench: scores one answer and returns everything that led to the score.

Models are called through the gateway, so calls count against the budgets, appear in the ledger and
may be answered from the cache. No transaction is open meanwhile.
"""

from collections.abc import Mapping
from time import perf_counter
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.session import Database
from edison.kit.errors import FieldProblem, Invalid, NotFound
from edison.kit.hook import Hook
from edison.kit.lazy_dataclasses import dataclass
from edison.kit.money import usd_from_nanos
from edison.library.calls.gateway import CallContext, Gateway
from edison.library.datasets import service as datasets
from edison.library.models.service import CallableModel, least_need
from edison.library.scorers.graders import with_words
from edison.library.scorers.resolve import find_models, resolve_scorer
from edison.library.scorers.schemas.bench import (
    CriterionScoreRead,
    QuestionRead,
    Sample,
    TriedScorerRead,
    TryScorerRequest,
)
from edison.library.scorers.service import find_chosen
from edison.pipeline.generate.call import Parameters
from edison.pipeline.generate.outcome import CallFailed
from edison.pipeline.generate.path.fair_queue import CallGroup
from edison.pipeline.generate.path.question import Answer, CacheMode
from edison.pipeline.render.prompt import RenderedPrompt
from edison.pipeline.score.apply import ConfiguredScorer, apply, configure
from edison.pipeline.score.scorer import Scored, Subject
from edison.workspace.audit import service as audit
from edison.workspace.budgets import service as budgets

PURPOSE = "try_scorer"

# A listener returns what scorers see of an output of a project, or raises NotFound.
read_output: Hook[[AsyncSession, UUID, UUID], Subject] = Hook(
    "When a scorer is tried on the output of a run, in the transaction of the request."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScorerTrial:
    """A resolved request, ready for scoring."""

    configured: ConfiguredScorer
    models: Mapping[UUID, CallableModel]
    subject: Subject
    cache: CacheMode


async def prepare_trial(
    database: Database, *, project_id: UUID, wanted: TryScorerRequest
) -> ScorerTrial:
    """Raises Invalid with every problem, and Exhausted when no budget is left for model calls."""
    async with database.write() as session:
        configured, models = await _scorer(session, project_id, wanted)
        try:
            configured = await with_words(session, project_id=project_id, configured=configured)
        except Invalid as invalid:
            raise _below("scorer", *invalid.problems) from invalid
        subject = await _subject(session, project_id, wanted.sample)
        if models:
            need = least_need(models.values())
            await budgets.check_open(session, project_id=project_id, need=need)
            audit.record(
                session,
                "scorer.tried",
                entity=("scorer", wanted.scorer_version_id or project_id),
                project_id=project_id,
                after={"models": sorted(model.display_name for model in models.values())},
            )
    return ScorerTrial(
        configured=configured,
        models=models,
        subject=subject,
        cache=CacheMode.BYPASS if wanted.is_cache_bypassed else CacheMode.USE,
    )


async def _scorer(
    session: AsyncSession, project_id: UUID, wanted: TryScorerRequest
) -> tuple[ConfiguredScorer, Mapping[UUID, CallableModel]]:
    if wanted.scorer is not None:
        try:
            settled = await resolve_scorer(session, project_id=project_id, wanted=wanted.scorer)
        except Invalid as invalid:
            raise _below("scorer", *invalid.problems) from invalid
        return settled.configured, settled.models
    version_id = wanted.scorer_version_id
    assert version_id is not None  # noqa: S101 - the request has one or the other
    chosen = await find_chosen(session, project_id=project_id, version_ids=[version_id])
    if version_id not in chosen:
        told = "There is no such version of a scorer in this project."
        raise Invalid(
            FieldProblem(field="scorer_version_id", message=told, code="unknown_scorer_version")
        )
    configured = configure(chosen[version_id].config)
    models, problems = await find_models(session, project_id=project_id, configured=configured)
    if problems:
        raise _below("scorer", *problems)
    return configured, models


def _below(place: str, *problems: FieldProblem) -> Invalid:
    return Invalid(
        *(
            FieldProblem(field=f"{place}.{each.field}", message=each.message, code=each.code)
            for each in problems
        )
    )


async def _subject(session: AsyncSession, project_id: UUID, sample: Sample) -> Subject:
    if sample.output_id is not None:
        subject = await read_output.first(session, project_id, sample.output_id)
        if subject is None:
            raise NotFound("There is no such output.")
        return subject
    text = sample.text or ""
    if sample.case_id is None or sample.dataset_id is None:
        return Subject(text=text, expected=sample.expected, inputs=sample.inputs)
    case = await datasets.get_case(
        session, project_id=project_id, dataset_id=sample.dataset_id, case_id=sample.case_id
    )
    return Subject(text=text, expected=case.expected, inputs=case.inputs)


async def run_trial(gateway: Gateway, trial: ScorerTrial) -> TriedScorerRead:
    tools = _BenchTools(gateway, trial)
    began = perf_counter()
    scored = await apply(trial.configured, trial.subject, tools)
    seconds = perf_counter() - began
    await gateway.flush()
    return _read(trial, scored, tools.questions, seconds)


class _BenchTools:
    """Calls models for the scorer and records the calls."""

    def __init__(self, gateway: Gateway, trial: ScorerTrial) -> None:
        self._gateway = gateway
        self._trial = trial
        self._context = CallContext(
            purpose=PURPOSE,
            cache=trial.cache,
            call_group=CallGroup(key=PURPOSE, is_interactive=True),
        )
        self.questions: list[QuestionRead] = []

    async def ask(self, model_id: UUID, prompt: RenderedPrompt, parameters: Parameters) -> Answer:
        model = self._trial.models[model_id]
        answer = await self._gateway.answer(model, prompt, parameters, context=self._context)
        self.questions.append(_question(model, prompt, answer))
        return answer


def _question(model: CallableModel, prompt: RenderedPrompt, answer: Answer) -> QuestionRead:
    outcome = answer.outcome
    has_failed = isinstance(outcome, CallFailed)
    return QuestionRead(
        model_id=model.id,
        model=model.display_name,
        system=prompt.system,
        text="\n\n".join(message.text for message in prompt.messages),
        answer=None if isinstance(outcome, CallFailed) else outcome.text,
        failure=outcome.message if isinstance(outcome, CallFailed) else None,
        is_cached=answer.is_cached and not has_failed,
        is_simulated=model.is_simulated,
        cost_usd=None if answer.cost_nanos is None else usd_from_nanos(answer.cost_nanos),
    )


def _read(
    trial: ScorerTrial, scored: Scored, questions: list[QuestionRead], seconds: float
) -> TriedScorerRead:
    cost = scored.cost_nanos
    return TriedScorerRead(
        value=scored.value,
        is_passed=scored.is_passed,
        flag=scored.flag,
        rationale=scored.rationale,
        raw=scored.raw,
        criteria={
            name: CriterionScoreRead(value=each.value, raw=each.raw, rationale=each.rationale)
            for name, each in scored.criteria.items()
        },
        cost_usd=None if cost is None else usd_from_nanos(cost),
        seconds=seconds,
        questions=questions,
        subject={
            "text": trial.subject.answer,
            "expected": trial.subject.expected,
            "inputs": dict(trial.subject.inputs),
        },
    )
