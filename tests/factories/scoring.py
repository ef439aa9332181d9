"""Builders for runs with outputs for human scoring that bypass the engine."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from fastapi import FastAPI
from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit import clock, ids
from edison.runs.scoring.models import AnnotationQueue
from edison.runs.scoring.repository.queues import Queues
from edison.runs.store.effective_scores import NO_SCORE, Effective, overall, summarise
from edison.runs.store.models import EMPTY_TALLY, Output, RunCase, RunScorer, RunVariant, Score
from edison.runs.store.repository import Runs
from tests.factories.runs import TEMPLATE, add_output, add_run

# Per scorer: its value and its flag, if any.
Given = float | tuple[float | None, str] | None


@dataclass(frozen=True, kw_only=True)
class MadeRun:
    """`outputs` by case and variant."""

    id: UUID
    outputs: dict[tuple[int, int], UUID]


@dataclass(frozen=True, kw_only=True)
class ScorerOf:
    label: str
    weight: float = 1.0
    threshold: float | None = None
    options: dict[str, Any] | None = None


async def make_scored_run(
    app: FastAPI,
    project_id: UUID,
    *,
    cells: Sequence[Sequence[Sequence[Given]]],
    scorers: Sequence[ScorerOf] = (),
    **values: Any,
) -> MadeRun:
    """A finished run. `cells[case][variant]` holds the values of each scorer."""
    async with app.state.database.write() as session:
        variant_count = len(cells[0]) if cells else 1
        run = await add_run(
            session,
            project_id,
            case_count=len(cells),
            variant_count=variant_count,
            cell_count=len(cells) * variant_count,
            scorer_count=len(scorers),
            **values,
        )
        session.add_all(_scorer(run.id, at, each) for at, each in enumerate(scorers))
        # The first case and variant are created with the run.
        session.add_all(_variant(run.id, at) for at in range(1, variant_count))
        await session.flush()
        first = await session.get_one(RunCase, (run.id, 0))
        first.inputs, first.expected = _case(0)
        session.add_all(_run_case(run.id, at) for at in range(1, len(cells)))
        outputs: dict[tuple[int, int], UUID] = {}
        for case, row in enumerate(cells):
            for variant, given in enumerate(row):
                output = await add_output(
                    session,
                    run,
                    case_position=case,
                    variant_position=variant,
                    number=len(outputs) + 1,
                    text=f"Answer to {case} in the {variant}th way.",
                    model="secret-model-name",
                )
                outputs[case, variant] = output.id
                _add_scores(session, output, given)
        await session.flush()
        await _sum_up(session, run.id, variant_count)
    return MadeRun(id=run.id, outputs=outputs)


async def _sum_up(session: AsyncSession, run_id: UUID, variant_count: int) -> None:
    runs, summaries = Runs(session), []
    effective = await Effective(session).by_variant(run_id)
    for position in range(variant_count):
        summary = summarise(
            position, [], [], effective=effective.get(position, NO_SCORE), latencies=[]
        )
        summaries.append(summary)
        await runs.set_variant(run_id, position, {"summary": summary})
    await runs.change(run_id, {"summary": overall(summaries)})


def _case(position: int) -> tuple[dict[str, Any], str]:
    return {"question": f"Question {position}?"}, f"Expected {position}"


def _run_case(run_id: UUID, position: int) -> RunCase:
    inputs, expected = _case(position)
    return RunCase(run_id=run_id, position=position, inputs=inputs, expected=expected, tags=[])


def _variant(run_id: UUID, position: int) -> RunVariant:
    return RunVariant(
        **EMPTY_TALLY,
        id=ids.new_id(),
        run_id=run_id,
        position=position,
        label=f"Reply v{position} · secret-model-name",
        prompt_name="Reply",
        version_label=f"v{position}",
        model_name="secret-model-name",
        provider="sim",
        is_simulated=True,
        parameters={},
        template=TEMPLATE,
    )


def _scorer(run_id: UUID, position: int, scorer: ScorerOf) -> RunScorer:
    return RunScorer(
        id=ids.new_id(),
        run_id=run_id,
        position=position,
        kind="judge",
        label=scorer.label,
        weight=scorer.weight,
        threshold=scorer.threshold,
        options=scorer.options or {},
    )


def _add_scores(session: AsyncSession, output: Output, given: Sequence[Given]) -> None:
    for position, each in enumerate(given):
        if each is None:
            continue
        value, flag = each if isinstance(each, tuple) else (each, None)
        session.add(
            Score(
                id=ids.new_id(),
                run_id=output.run_id,
                output_id=output.id,
                scorer_position=position,
                number=1000 + output.number,
                value=value,
                flag=flag,
                created_at=clock.now(),
            )
        )


async def add_queue(
    session: AsyncSession, project_id: UUID, output_ids: Sequence[UUID], **values: Any
) -> AnnotationQueue:
    """An open queue that asks every member for one rating per output."""
    queue = AnnotationQueue(
        **{
            "id": ids.new_id(),
            "project_id": project_id,
            "name": "A queue",
            "question": "rating",
            "strategy": "random",
            "seed": 1,
            "overlap": 1,
            "state": "open",
        }
        | values
    )
    await Queues(session).add(queue, output_ids=output_ids, assignee_ids=[])
    return queue
