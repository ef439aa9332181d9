"""The human value of outputs: the mean of human scores, which overrides automatic scores.

The individual scores belong to `runs/scoring`, which calls this module to update the mean.
"""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.db import wakeups
from edison.runs.store.effective_scores import (
    NO_SCORE,
    Effective,
    EffectiveScore,
    VariantScore,
    overall,
    score_fields,
)
from edison.runs.store.models import Output, Run, RunVariant
from edison.runs.store.outputs import Outputs
from edison.runs.store.repository import Runs
from edison.runs.store.transitions import progress_topic


async def list_effective(session: AsyncSession, *, run_id: UUID) -> Sequence[EffectiveScore]:
    """The effective score of each output: the mean of human scores, otherwise the scorers' mean."""
    return await Effective(session).list_of_run(run_id)


async def lock_output(session: AsyncSession, *, project_id: UUID, output_id: UUID) -> Output:
    """Locks the output's run, so that its answer cannot be replaced in this transaction."""
    reading = Outputs(session)
    output = await reading.get_output(project_id, output_id)
    await Runs(session).lock(output.run_id)
    return await reading.get_output(project_id, output_id)


async def set_human_value(session: AsyncSession, *, output: Output, value: float | None) -> None:
    """Stores the mean of human scores and updates the summary of a finished run. Always increments
    the run's number, even if the mean is unchanged. Requires `lock_output` first.
    """
    effective = Effective(session)
    old = await effective.get(output.id)
    await effective.set_human_value(output.id, value)
    new = await effective.get(output.id)
    run = await Runs(session).find(output.run_id)
    if run is not None and run.summary is not None and new != old:
        await _sum_up_again(session, run, old, new)
        wakeups.topic_changed(session, progress_topic(run.id))
    else:
        await Runs(session).change(output.run_id, {})


async def _sum_up_again(
    session: AsyncSession, run: Run, old: EffectiveScore, new: EffectiveScore
) -> None:
    """Updates the score fields of the summaries; all other fields stay."""
    runs, summaries = Runs(session), []
    for variant in await runs.list_variants(run.id):
        summary = variant.summary
        if summary is None:
            continue
        if variant.position == new.variant_position:
            score = await _score_of(session, variant, old, new)
            summary = {**summary, **score_fields(score)}
            await runs.set_variant(run.id, variant.position, {"summary": summary})
        summaries.append(summary)
    await runs.change(run.id, {"summary": overall(summaries)})


async def _score_of(
    session: AsyncSession, variant: RunVariant, old: EffectiveScore, new: EffectiveScore
) -> VariantScore:
    """The variant's new score. Reads all outputs only if the summary has no `scored_count`."""
    summary = variant.summary or {}
    if summary.get("scored_count") is None:
        found = await Effective(session).by_variant(variant.run_id, only=variant.position)
        return found.get(variant.position, NO_SCORE)
    known = VariantScore(
        mean=summary["score"], count=summary["scored_count"], human_count=summary["human_count"]
    )
    return known.exchanged(old, new)
