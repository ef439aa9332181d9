"""What people say about outputs, as far as a run knows it: one number that wins over scorers.

The scores themselves belong to `runs/scoring`, which keeps that number current through here.
"""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.db import wakeups
from edison.runs.engine.control import progress_channel
from edison.runs.engine.models import Output, Run
from edison.runs.engine.repository.effective import Effective
from edison.runs.engine.repository.reading import Reading
from edison.runs.engine.repository.runs import Runs
from edison.runs.engine.summaries import NO_SCORE, EffectiveScore, overall


async def list_effective(session: AsyncSession, *, run_id: UUID) -> Sequence[EffectiveScore]:
    """The score that counts for each output of a run: people's mean, or else its scorers'."""
    return await Effective(session).list_of_run(run_id)


async def lock_output(session: AsyncSession, *, project_id: UUID, output_id: UUID) -> Output:
    """The output, which nobody replaces by another answer until the transaction ends."""
    reading = Reading(session)
    output = await reading.get_output(project_id, output_id)
    await Runs(session).lock(output.run_id)
    return await reading.get_output(project_id, output_id)


async def set_human_value(session: AsyncSession, *, output: Output, value: float | None) -> None:
    """Store the mean of people's scores, and bring the summary of a run that is over up to it. Call
    it with the output locked.
    """
    await Effective(session).set_human_value(output.id, value)
    run = await Runs(session).find(output.run_id)
    if run is not None and run.summary is not None:
        await _sum_up_again(session, run, output.variant_position)
        wakeups.request(session, progress_channel(run.id))


async def _sum_up_again(session: AsyncSession, run: Run, position: int) -> None:
    """Only what people's scores change: everything else stays as it was."""
    runs = Runs(session)
    found = await Effective(session).by_variant(run.id, only=position)
    score = found.get(position, NO_SCORE)
    summaries = []
    for variant in await runs.list_variants(run.id):
        summary = variant.summary
        if summary is None:
            continue
        if variant.position == position:
            summary = {**summary, "score": score.mean, "human_count": score.human_count}
            await runs.set_variant(run.id, position, {"summary": summary})
        summaries.append(summary)
    await runs.change(run.id, {"summary": overall(summaries)})
