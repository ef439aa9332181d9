"""Write batch items: finished cells, their scores and comparisons.

Allocating numbers locks the run's row, so writes to one run are serialised across processes. If a
cell already has an output, the second one is dropped.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import field
from typing import TypeVar
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.db import wakeups
from edison.jobs.batch_writer import Batch
from edison.kit.hook import Hook
from edison.kit.lazy_dataclasses import dataclass
from edison.runs.store.cells import Cells, RunProgress
from edison.runs.store.comparisons import Comparisons
from edison.runs.store.repository import Runs
from edison.runs.store.transitions import advance, next_state, progress_topic
from edison.runs.store.types import NewComparison, NewOutput, NewScore

on_outputs_replaced: Hook[[AsyncSession, Sequence[UUID]], None] = Hook(
    "After outputs got another answer, in the transaction that stored it."
)

# Applied after the ledger entries (order 0), so that a charge is written before its output.
OUTPUTS_ORDER = 20
SCORES_ORDER = 21
COMPARISONS_ORDER = 22


Item = TypeVar("Item", NewOutput, NewScore, NewComparison)


@dataclass(slots=True)
class TallyIncrements:
    """Increments of the tallies, by variant."""

    by_variant: dict[int, dict[str, int]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(int))
    )

    def count(self, variant: int, name: str, charged_nanos: int | None) -> dict[str, int]:
        """Counts a cell or score with its cost. Returns the sums of the variant."""
        sums = self.by_variant[variant]
        sums[name] += 1
        if charged_nanos is None:
            sums["unpriced_count"] += 1
        else:
            sums["cost_nanos"] += charged_nanos
        return sums

    def total(self) -> dict[str, int]:
        total: dict[str, int] = defaultdict(int)
        for sums in self.by_variant.values():
            for name, amount in sums.items():
                total[name] += amount
        return total


class _StoreOutputs(Batch[NewOutput, UUID | None]):
    order = OUTPUTS_ORDER

    async def apply(
        self, session: AsyncSession, items: Sequence[NewOutput]
    ) -> Sequence[UUID | None]:
        """The ids of the stored outputs; None if the cell already had one or its run is deleted."""
        stored: set[UUID] = set()
        for run_id, of_run in _by_run(items):
            stored |= await _store_outputs(session, run_id, of_run)
        return [item.output.id if item.output.id in stored else None for item in items]


class _StoreScores(Batch[NewScore, bool]):
    order = SCORES_ORDER

    async def apply(self, session: AsyncSession, items: Sequence[NewScore]) -> Sequence[bool]:
        """Whether each score was stored; False if it already existed or the run was deleted."""
        stored: set[UUID] = set()
        for run_id, of_run in _by_run(items):
            stored |= await _store_scores(session, run_id, of_run)
        return [item.id in stored for item in items]


class _StoreComparisons(Batch[NewComparison, bool]):
    order = COMPARISONS_ORDER

    async def apply(self, session: AsyncSession, items: Sequence[NewComparison]) -> Sequence[bool]:
        """Whether each comparison was stored; False if it already existed or an answer was
        replaced.
        """
        stored: set[UUID] = set()
        for run_id, of_run in _by_run(items):
            stored |= await _store_comparisons(session, run_id, of_run)
        return [item.id in stored for item in items]


class _StoreWaves(Batch[Sequence[NewOutput], Sequence[UUID | None]]):
    """Many outputs as one item, with the results of `STORE_OUTPUT`."""

    order = OUTPUTS_ORDER

    async def apply(
        self, session: AsyncSession, items: Sequence[Sequence[NewOutput]]
    ) -> Sequence[Sequence[UUID | None]]:
        stored = iter(await STORE_OUTPUT.apply(session, [each for item in items for each in item]))
        return [[next(stored) for _ in item] for item in items]


STORE_OUTPUT = _StoreOutputs()
STORE_WAVE = _StoreWaves()
STORE_SCORE = _StoreScores()
STORE_COMPARISON = _StoreComparisons()


def _by_run(items: Sequence[Item]) -> Iterable[tuple[UUID, list[Item]]]:
    """Groups items by run, ordered by run id to prevent deadlocks between batches."""
    groups: dict[UUID, list[Item]] = defaultdict(list)
    for item in items:
        groups[item.run_id].append(item)
    return sorted(groups.items())


async def _store_outputs(
    session: AsyncSession, run_id: UUID, items: Sequence[NewOutput]
) -> set[UUID]:
    cells = Cells(session)
    scores = [score for item in items for score in item.scores]
    first = await cells.take_numbers(run_id, len(items) + len(scores))
    if first is None:
        # The run was deleted.
        return set()
    await cells.keep_sent(
        {(item.project_id, item.output.prompt_digest): item.sent for item in items}
    )
    numbered = list(enumerate(items, start=first))
    stored = await cells.add_outputs(
        [(number, item.output) for number, item in numbered if not item.is_again]
    )
    replaced = [
        item.output.id
        for number, item in numbered
        if item.is_again and await cells.replace_output(number, item.output)
    ]
    stored.update(replaced)
    if replaced:
        await on_outputs_replaced.fire(session, replaced)
    sums = TallyIncrements()
    for item in items:
        if item.output.id in stored:
            _count_output(sums, item)
    await _add_scores(
        cells,
        [score for score in scores if score.output.id in stored],
        first=first + len(items),
        sums=sums,
    )
    await _tally(session, run_id, sums)
    return stored


def _count_output(sums: TallyIncrements, item: NewOutput) -> None:
    output = item.output
    status, usage = output.status, output.answer.usage
    of_variant = sums.count(output.variant_position, "done_count", item.charged_nanos)
    if status != "ok":
        of_variant[f"{status}_count"] += 1
    if output.answer.is_cached:
        of_variant["cached_count"] += 1
    if usage is not None:
        of_variant["input_tokens"] += usage.input_tokens
        of_variant["output_tokens"] += usage.output_tokens


async def _store_scores(
    session: AsyncSession, run_id: UUID, items: Sequence[NewScore]
) -> set[UUID]:
    cells = Cells(session)
    first = await cells.take_numbers(run_id, len(items))
    if first is None:
        return set()
    sums = TallyIncrements()
    stored = await _add_scores(cells, items, first=first, sums=sums)
    await _tally(session, run_id, sums)
    return stored


async def _add_scores(
    cells: Cells, items: Sequence[NewScore], *, first: int, sums: TallyIncrements
) -> set[UUID]:
    stored = await cells.add_scores(list(enumerate(items, start=first)))
    for item in items:
        if item.id in stored:
            sums.count(item.output.variant_position, "score_count", item.charged_nanos)
    return stored


async def _store_comparisons(
    session: AsyncSession, run_id: UUID, items: Sequence[NewComparison]
) -> set[UUID]:
    cells = Cells(session)
    first = await cells.take_numbers(run_id, len(items))
    if first is None:
        return set()
    comparisons = Comparisons(session)
    current = await comparisons.list_answered({each for item in items for each in item.answered_at})
    stored = await comparisons.add(
        [
            (number, item)
            for number, item in enumerate(items, start=first)
            if item.answered_at.items() <= current.items()
        ]
    )
    charged = [item.charged_nanos for item in items if item.id in stored]
    standing = await cells.tally_comparisons(
        run_id,
        count=len(charged),
        unpriced=charged.count(None),
    )
    await _advance(session, run_id, standing)
    return stored


async def _tally(session: AsyncSession, run_id: UUID, sums: TallyIncrements) -> None:
    standing = await Cells(session).tally(run_id, sums.by_variant, sums.total())
    await _advance(session, run_id, standing)


async def _advance(session: AsyncSession, run_id: UUID, standing: RunProgress | None) -> None:
    """Wakes the readers of the run, and advances its state when its tallies require it."""
    wakeups.topic_changed(session, progress_topic(run_id))
    if standing is not None and next_state(standing) is not None:
        run = await Runs(session).lock(run_id)
        if run is not None:
            await advance(session, run)
