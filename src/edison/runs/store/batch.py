"""Write batch items: finished cells, their scores and comparisons.

Allocating numbers locks the run's row, so writes to one run are serialised across processes. If a
cell already has an output, the second one is dropped.
"""

from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import field
from itertools import compress
from operator import attrgetter
from typing import TypeVar
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.db import wakeups
from edison.jobs.batch_writer import Batch, Results
from edison.kit.grouped import grouped
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
    """The results are the ids of the stored outputs; None if the cell already had one or its run is
    deleted.
    """

    order = OUTPUTS_ORDER

    async def begin(
        self, session: AsyncSession, items: Sequence[NewOutput]
    ) -> Callable[[], Awaitable[Results[UUID | None]]]:
        return await _begin_outputs(session, items)


class _StoreScores(Batch[Sequence[NewScore], Sequence[bool]]):
    """Many scores as one item."""

    order = SCORES_ORDER

    async def apply(
        self, session: AsyncSession, items: Sequence[Sequence[NewScore]]
    ) -> Sequence[Sequence[bool]]:
        """Whether each score was stored; False if it already existed or the run was deleted."""
        scores = [each for item in items for each in item]
        stored = iter(await _by_run(session, scores, _store_scores))
        return [[next(stored) for _ in item] for item in items]


class _StoreComparisons(Batch[NewComparison, bool]):
    order = COMPARISONS_ORDER

    async def apply(self, session: AsyncSession, items: Sequence[NewComparison]) -> Sequence[bool]:
        """Whether each comparison was stored; False if it already existed or an answer was
        replaced.
        """
        return await _by_run(session, items, _store_comparisons)


class _StoreWaves(Batch[Sequence[NewOutput], Sequence[UUID | None]]):
    """Many outputs as one item, with the results of `STORE_OUTPUT`."""

    order = OUTPUTS_ORDER

    async def begin(
        self, session: AsyncSession, items: Sequence[Sequence[NewOutput]]
    ) -> Callable[[], Awaitable[Results[Sequence[UUID | None]]]]:
        store = await _begin_outputs(session, [each for item in items for each in item])

        async def end() -> Results[Sequence[UUID | None]]:
            stored = iter(await store())
            return [[next(stored) for _ in item] for item in items]

        return end


STORE_OUTPUT = _StoreOutputs()
STORE_WAVE = _StoreWaves()
STORE_SCORES = _StoreScores()
STORE_COMPARISON = _StoreComparisons()


async def _by_run(
    session: AsyncSession,
    items: Sequence[Item],
    store: Callable[[AsyncSession, UUID, Sequence[Item]], Awaitable[Sequence[bool]]],
) -> Sequence[bool]:
    """Stores the items of each run, ordered by run id to prevent deadlocks between batches. Returns
    which were stored: none of a deleted run.
    """
    run_ids = [item.run_id for item in items]
    results = [False] * len(items)
    for run_id, of_run in sorted(grouped(range(len(items)), run_ids.__getitem__).items()):
        stored = await store(session, run_id, [items[place] for place in of_run])
        for place, is_stored in zip(of_run, stored, strict=True):
            results[place] = is_stored
    return results


async def _begin_outputs(
    session: AsyncSession, items: Sequence[NewOutput]
) -> Callable[[], Awaitable[list[UUID | None]]]:
    by_project = grouped(items, attrgetter("project_id"))
    await Cells(session).keep_sent(
        {
            project_id: {item.output.prompt_digest: item.sent for item in of_project}
            for project_id, of_project in by_project.items()
        }
    )

    async def store() -> list[UUID | None]:
        stored = await _by_run(session, items, _store_outputs)
        return [
            item.output.id if is_stored else None
            for item, is_stored in zip(items, stored, strict=True)
        ]

    return store


async def _store_outputs(
    session: AsyncSession, run_id: UUID, items: Sequence[NewOutput]
) -> Sequence[bool]:
    cells = Cells(session)
    first = await cells.take_numbers(run_id, sum(1 + len(item.scores) for item in items))
    if first is None:
        return [False] * len(items)
    numbered = list(enumerate(items, start=first))
    added = await cells.add_outputs(
        {number: item.output for number, item in numbered if not item.is_again}
    )
    replaced = {
        number: item.output.id
        for number, item in numbered
        if item.is_again and await cells.replace_output(number, item.output)
    }
    if replaced:
        await on_outputs_replaced.fire(session, list(replaced.values()))
    is_stored = [number in added or number in replaced for number, _ in numbered]
    stored = list(compress(items, is_stored))
    sums = TallyIncrements()
    for item in stored:
        _count_output(sums, item)
    scores = [score for item in stored for score in item.scores]
    await _add_scores(cells, scores, first=first + len(items), sums=sums)
    await _tally(session, run_id, sums)
    return is_stored


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
) -> Sequence[bool]:
    cells = Cells(session)
    first = await cells.take_numbers(run_id, len(items))
    if first is None:
        return [False] * len(items)
    sums = TallyIncrements()
    stored = await _add_scores(cells, items, first=first, sums=sums)
    await _tally(session, run_id, sums)
    return stored


async def _add_scores(
    cells: Cells, items: Sequence[NewScore], *, first: int, sums: TallyIncrements
) -> Sequence[bool]:
    numbered = dict(enumerate(items, start=first))
    stored = await cells.add_scores(numbered)
    for number in stored:
        item = numbered[number]
        sums.count(item.output.variant_position, "score_count", item.charged_nanos)
    return [number in stored for number in numbered]


async def _store_comparisons(
    session: AsyncSession, run_id: UUID, items: Sequence[NewComparison]
) -> Sequence[bool]:
    cells = Cells(session)
    first = await cells.take_numbers(run_id, len(items))
    if first is None:
        return [False] * len(items)
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
    return [item.id in stored for item in items]


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
