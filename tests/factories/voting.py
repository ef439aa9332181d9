"""Builders for runs to vote on, and for rounds."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from fastapi import FastAPI
from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit import clock, ids
from edison.library.models.models import Model
from edison.runs.store.models import EMPTY_TALLY, Run, RunCase, RunVariant
from edison.runs.voting.models import VotingRound
from edison.runs.voting.pair_order import PairCandidate
from edison.runs.voting.repository.rounds import Rounds
from tests.factories.runs import TEMPLATE, add_output, add_run


@dataclass(frozen=True, kw_only=True)
class AnsweredRun:
    """`outputs` are by case and variant."""

    id: UUID
    outputs: dict[tuple[int, int], UUID]


async def make_answered_run(
    app: FastAPI,
    project_id: UUID,
    models: Sequence[Model | None],
    *,
    cases: int = 8,
    text_of: Callable[[int, int], str] = lambda case, variant: f"Answer {variant} to {case}.",
    **values: Any,
) -> AnsweredRun:
    """A completed run of these models, one variant each; `text_of` case and variant."""
    async with app.state.database.write() as session:
        run = await _add_run(session, project_id, models, cases, values)
        outputs = {}
        for case in range(cases):
            for variant in range(len(models)):
                made = await add_output(
                    session,
                    run,
                    case_position=case,
                    variant_position=variant,
                    number=case * len(models) + variant + 1,
                    text=text_of(case, variant),
                )
                outputs[case, variant] = made.id
    return AnsweredRun(id=run.id, outputs=outputs)


async def _add_run(
    session: AsyncSession,
    project_id: UUID,
    models: Sequence[Model | None],
    cases: int,
    values: dict[str, Any],
) -> Run:
    count = cases * len(models)
    run = await add_run(
        session,
        project_id,
        **{
            "case_count": cases,
            "variant_count": len(models),
            "cell_count": count,
            "done_count": count,
            "last_number": count,
        }
        | values,
    )
    session.add_all(
        RunCase(run_id=run.id, position=at, inputs={"question": f"Question {at}?"}, tags=[])
        for at in range(1, cases)
    )
    session.add_all(
        RunVariant(
            **EMPTY_TALLY,
            id=ids.new_id(),
            run_id=run.id,
            position=at,
            label=f"Reply v1 · {at}",
            prompt_name="Reply",
            version_label="v1",
            model_id=None if model is None else model.id,
            model_name="Gone" if model is None else model.display_name,
            provider="sim",
            is_simulated=True,
            parameters={},
            template=TEMPLATE,
        )
        for at, model in enumerate(models)
        if at > 0
    )
    await session.flush()
    first = models[0]
    if first is not None:
        variant = await _first_variant(session, run.id)
        variant.model_id, variant.model_name = first.id, first.display_name
    return run


async def _first_variant(session: AsyncSession, run_id: UUID) -> RunVariant:
    (variant,) = [each for each in await Rounds(session).list_variants(run_id) if not each.position]
    return variant


async def add_round(session: AsyncSession, project_id: UUID, **values: Any) -> VotingRound:
    """An open round with one match."""
    run = await _add_run(session, project_id, [None, None], 1, {})
    pair = [(await add_output(session, run, variant_position=at, number=at + 1)) for at in (0, 1)]
    made = VotingRound(
        **{
            "id": ids.new_id(),
            "project_id": project_id,
            "run_id": run.id,
            "name": "A round",
            "state": "open",
            "people_per_match": 1,
            "order_key": "0" * 64,
            "created_at": clock.now(),
        }
        | values
    )
    await Rounds(session).add(made, [PairCandidate(0, 0, 1, pair[0].id, pair[1].id)])
    return made
