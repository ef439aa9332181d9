"""Reads what estimates learn from: earlier calls, the answer cache, and the budgets in reach."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import timedelta
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit import clock
from edison.library.calls import service as calls
from edison.library.models import service as models
from edison.library.models.service import CallableModel
from edison.pipeline.score.registry import load_comparer, load_scorer
from edison.pipeline.score.safety.redaction import redaction_of, wanted_of
from edison.pipeline.score.scorer import CaseAssertions, Scorer
from edison.runs.plan.call_range import History, PastCall
from edison.runs.plan.estimate import Experience, Judgements
from edison.runs.plan.types import (
    PlannedCase,
    PlannedComparer,
    PlannedScorer,
    PlannedVariant,
    RunPlan,
)
from edison.runs.store.totals import Totals
from edison.workspace.budgets import service as budgets

# Earlier calls that an estimate reads per model.
RECENT_CALLS = 200
RECENT_RUNS = 3
RECENT_TIME = timedelta(days=90)
# Cells per variant that are looked up in the answer cache.
LOOKED_UP = 200
# Equal answers are not compared, and answers that equal the expected one are not judged.
OFTEN_SKIPPED = {"similarity_judge": 0.0, "pairwise_judge": 0.3}


async def read_experience(
    session: AsyncSession,
    *,
    project_id: UUID,
    plan: RunPlan,
    judges: Sequence[Judgements],
    uses_cache: bool,
) -> Experience:
    answers = [
        await _history(session, project_id, each.model, "answer", _prompt_ids([each]))
        for each in plan.variants
    ]
    judgements = await read_judge_history(
        session, project_id=project_id, judges=judges, prompt_ids=_prompt_ids(plan.variants)
    )
    cached = await _cached_shares(session, project_id, plan) if uses_cache else None
    return Experience(
        answers=answers,
        judgements=judgements,
        cached=cached or [0.0] * len(plan.variants),
    )


def _prompt_ids(variants: Sequence[PlannedVariant]) -> list[UUID]:
    return [each.prompt_id for each in variants if each.prompt_id is not None]


async def read_judge_history(
    session: AsyncSession,
    *,
    project_id: UUID,
    judges: Sequence[Judgements],
    prompt_ids: Sequence[UUID],
) -> dict[UUID, History]:
    """Earlier calls by judge, of runs with these prompts if there are any."""
    return {
        judge.model.id: await _history(session, project_id, judge.model, "judge", prompt_ids)
        for judge in judges
    }


async def read_judges(
    session: AsyncSession, *, project_id: UUID, plan: RunPlan
) -> list[Judgements]:
    return await read_judgements(
        session,
        project_id=project_id,
        scorers=[(each, plan.cell_count) for each in plan.scorers],
        cases=plan.cases,
        comparers=[(each, plan.comparisons_by(each)) for each in plan.comparers],
    )


async def read_judgements(
    session: AsyncSession,
    *,
    project_id: UUID,
    scorers: Sequence[tuple[PlannedScorer, int]],
    cases: Sequence[PlannedCase],
    comparers: Sequence[tuple[PlannedComparer, int]],
) -> list[Judgements]:
    """Each scorer with its number of answers, which the cases share alike, and each comparer with
    its number of pairs.
    """
    asked: list[tuple[UUID, int, int, int, float]] = []
    for scorer, answers in scorers:
        kind = load_scorer(scorer.kind).model_validate(scorer.options)
        most = getattr(kind, "max_tokens", 0)
        least = OFTEN_SKIPPED.get(scorer.kind, 0.95)
        asked += [
            (each, count, most, 1, least) for each, count in _calls_of(kind, cases, answers).items()
        ]
    for comparer, pairs in comparers:
        options = load_comparer(comparer.kind).model_validate(comparer.options)
        count = pairs * options.calls_per_pair
        most = getattr(options, "max_tokens", 0)
        least = OFTEN_SKIPPED.get(comparer.kind, 0.3)
        asked += [(each, count, most, 2, least) for each in options.model_ids]
    return [
        Judgements(
            model=await models.get_callable(session, project_id=project_id, model_id=model_id),
            calls=count,
            max_tokens=most,
            answers_read=answers_read,
            least_share=least,
        )
        for model_id, count, most, answers_read, least in asked
    ]


def _calls_of(scorer: Scorer, cases: Sequence[PlannedCase], answers: int) -> Mapping[UUID, int]:
    """Calls for so many answers to the cases, by model."""
    if not scorer.model_ids or not cases:
        return dict.fromkeys(scorer.model_ids, answers)
    found: Counter[UUID] = Counter()
    for case in cases:
        own = None if case.assertions is None else CaseAssertions(**case.assertions)
        found.update(scorer.count_calls(case.inputs, own))
    return {model: round(count * answers / len(cases)) for model, count in found.items()}


async def _history(
    session: AsyncSession,
    project_id: UUID,
    model: CallableModel,
    purpose: str,
    prompt_ids: Sequence[UUID],
) -> History:
    """Calls of the newest runs of one of the prompts, else of any run of the project."""
    run_ids = await Totals(session).list_runs_of_prompts(project_id, prompt_ids, limit=RECENT_RUNS)
    for runs, is_same in ((run_ids, True), (None, False)):
        if runs == []:
            continue
        rows = await budgets.list_usage(
            session,
            project_id=project_id,
            call=(purpose, model.provider, model.provider_model),
            run_ids=runs,
            since=clock.now() - RECENT_TIME,
            limit=RECENT_CALLS,
        )
        found = History(
            calls=[
                PastCall(
                    counted=row.counted_tokens,
                    input_tokens=row.input_tokens or 0,
                    cached_input_tokens=row.cached_input_tokens or 0,
                    output_tokens=row.output_tokens or 0,
                    seconds=row.seconds,
                )
                for row in rows
            ],
            is_same=is_same,
        )
        if found.is_known:
            return found
    return History()


async def _cached_shares(session: AsyncSession, project_id: UUID, plan: RunPlan) -> list[float]:
    redaction = (
        None if plan.redaction is None else redaction_of(wanted_of(dict(plan.redaction))).name
    )
    shares = []
    for variant in plan.variants:
        if models.is_echo(variant.model):
            shares.append(0.0)
            continue
        cases = plan.cases[:: max(1, -(-len(plan.cases) // LOOKED_UP))]
        found = await calls.count_cached(
            session,
            variant.model,
            [
                prompt
                for case in cases
                if (prompt := variant.template.find_rendered(case.inputs)) is not None
            ],
            variant.parameters,
            redaction=redaction,
        )
        # Each repeat has its own seed; repeats of a case are cached together or not at all.
        shares.append(found / len(cases) if cases else 0.0)
    return shares
