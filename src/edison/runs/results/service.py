"""Results of runs: summaries, and comparisons with other runs. Read-only."""

import asyncio
from bisect import bisect_right
from collections import Counter, deque
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from edison.api.pagination import PageRequest, Slice
from edison.db.session import Database
from edison.kit.errors import FieldProblem, Invalid, NotFound
from edison.kit.lru_cache import LruCache
from edison.pipeline.aggregate.power import ALPHA
from edison.pipeline.aggregate.results import VariantComparison
from edison.pipeline.aggregate.table import Floats
from edison.pipeline.render.values import value_text
from edison.runs.read import service as runs
from edison.runs.read.schemas import RunDetail
from edison.runs.results import compare, table
from edison.runs.results.cache import CACHE_SIZE, get_arrays, get_digest
from edison.runs.results.compare import Delta
from edison.runs.results.cursors import cursor_of, place_of
from edison.runs.results.digest import Digest
from edison.runs.results.repository import ResultRows
from edison.runs.results.schemas.results import RunBrief, RunComparisonRead, RunResults
from edison.runs.results.schemas.statistics import CaseDelta, ComparisonVerdict
from edison.runs.results.types import RunArrays
from edison.runs.results.view import read_results
from edison.runs.store import states
from edison.runs.store.states import RunState

PREVIEW_CHARACTERS = 200
READ_AT_ONCE = 2

_written: LruCache[bytes] = LruCache(CACHE_SIZE)
_compared: LruCache[tuple[tuple[VariantComparison, ...], int]] = LruCache(CACHE_SIZE)
# Ten thousand deltas take about 1 MB.
_deltas: LruCache[list[Delta]] = LruCache(8)


async def get_results(database: Database, *, project_id: UUID, run_id: UUID) -> RunResults:
    """The results so far. Takes the database, not a session: digesting is slow, and no transaction
    may be open meanwhile."""
    run = await get_run(database, project_id, run_id)
    digest = await get_digest(database, project_id=project_id, run=run)
    return read_results(run, digest)


async def write_results(database: Database, *, project_id: UUID, run_id: UUID) -> bytes:
    """The results as JSON, cached."""
    async with database.read_inline() as session:
        found = await ResultRows(session).find_number(project_id, run_id)
    if found is None:
        raise NotFound("There is no such run.")
    number, state = found
    if state in states.WORKING:
        run = await get_run(database, project_id, run_id)
        digest = await get_digest(database, project_id=project_id, run=run)

        async def write_lately() -> bytes:
            return read_results(run, digest).model_dump_json().encode()

        return await _written.get_or_compute((run_id, digest.number, run.state), write_lately)

    async def write() -> bytes:
        exact = await get_results(database, project_id=project_id, run_id=run_id)
        return exact.model_dump_json().encode()

    return await _written.get_or_compute((run_id, number, state), write)


async def compare_runs(
    database: Database,
    *,
    project_id: UUID,
    baseline_id: UUID,
    other_id: UUID,
    pair: tuple[int, int] | None = None,
) -> RunComparisonRead:
    """Compares matching variants, or those of `pair`. Raises Invalid for an unknown variant."""
    baseline = await get_run(database, project_id, baseline_id)
    other = await get_run(database, project_id, other_id)
    pairs = _choose(baseline, other, pair)
    before = await get_digest(database, project_id=project_id, run=baseline)
    after = await get_digest(database, project_id=project_id, run=other)
    is_complete = _are_complete(baseline, other)
    found, shared = await _compared.get_or_compute(
        (baseline_id, before.number, other_id, after.number, tuple(pairs), is_complete),
        lambda: asyncio.to_thread(_compare, before, after, pairs, is_complete=is_complete),
    )
    return RunComparisonRead(
        baseline=_brief(baseline),
        other=_brief(other),
        shared_cases=shared,
        only_in_baseline=len(before.case_keys) - shared,
        only_in_other=len(after.case_keys) - shared,
        comparisons=[ComparisonVerdict.model_validate(each) for each in found],
    )


def _are_complete(*either: RunDetail) -> bool:
    """Cancelled and failed runs are incomplete: their results may be the reason for the stop."""
    return all(run.state == RunState.COMPLETED for run in either)


def _compare(
    before: Digest, after: Digest, pairs: Sequence[tuple[int, int]], *, is_complete: bool
) -> tuple[tuple[VariantComparison, ...], int]:
    """The comparisons, and the number of shared cases."""
    found = compare.compare_digests(before, after, pairs, is_complete=is_complete)
    return found, len(compare.shared_cases(before, after))


async def compare_overall(
    database: Database,
    *,
    project_id: UUID,
    baseline_id: UUID,
    other_id: UUID,
    alpha: float = ALPHA,
    pairs: Sequence[tuple[int, int]] | None = None,
) -> ComparisonVerdict | None:
    """One verdict over all matching variants; None if none match. Ignore the positions in it.
    `alpha` is the significance level of the verdict and of the interval. `pairs` are positions of
    variants, the baseline's first, unless they are matched by prompt and model.
    """
    baseline = await get_run(database, project_id, baseline_id)
    other = await get_run(database, project_id, other_id)
    pairs = compare.match_variants(baseline.variants, other.variants) if pairs is None else pairs
    if not pairs:
        return None
    before = await get_digest(database, project_id=project_id, run=baseline)
    after = await get_digest(database, project_id=project_id, run=other)
    found = await asyncio.to_thread(
        compare.compare_overall,
        before,
        after,
        pairs,
        is_complete=_are_complete(baseline, other),
        alpha=alpha,
    )
    return ComparisonVerdict.model_validate(found)


async def pair_up(
    database: Database, *, project_id: UUID, baseline_id: UUID, other_id: UUID
) -> tuple[Floats, Floats] | None:
    """Composite scores of the shared cases in the other run's order, NaN where missing; None if no
    variants match.
    """
    baseline = await get_run(database, project_id, baseline_id)
    other = await get_run(database, project_id, other_id)
    pairs = compare.match_variants(baseline.variants, other.variants)
    if not pairs:
        return None
    before = await get_digest(database, project_id=project_id, run=baseline)
    after = await get_digest(database, project_id=project_id, run=other)
    return await asyncio.to_thread(compare.pair_up, before, after, pairs)


async def digest_run(database: Database, *, project_id: UUID, run_id: UUID) -> Digest:
    """The digest of a run, for further statistics."""
    run = await get_run(database, project_id, run_id)
    return await get_digest(database, project_id=project_id, run=run)


async def read_run(
    database: Database, *, project_id: UUID, run_id: UUID
) -> tuple[RunDetail, RunArrays]:
    """A run with its figures by case and variant, for further statistics."""
    run = await get_run(database, project_id, run_id)
    return run, await get_arrays(database, project_id=project_id, run=run)


async def read_runs(
    database: Database, *, project_id: UUID, run_ids: Sequence[UUID]
) -> AsyncIterator[tuple[RunDetail, RunArrays]]:
    """Several runs with their figures, in this order. One is read ahead."""
    waiting: deque[asyncio.Task[tuple[RunDetail, RunArrays]]] = deque()
    try:
        for run_id in run_ids:
            reading = read_run(database, project_id=project_id, run_id=run_id)
            waiting.append(asyncio.create_task(reading))
            if len(waiting) == READ_AT_ONCE:
                yield await waiting.popleft()
        while waiting:
            yield await waiting.popleft()
    finally:
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)


def keys_of_cases(contents: Iterable[tuple[Mapping[str, Any], str | None]]) -> tuple[str, ...]:
    """The `case_keys` that the digest of a run with these cases would have, given their inputs and
    expected answers.
    """
    return tuple(table.keys_of_cases(contents, Counter()))


async def list_case_deltas(
    database: Database,
    *,
    project_id: UUID,
    baseline_id: UUID,
    other_id: UUID,
    pair: tuple[int, int] | None,
    page: PageRequest,
) -> Slice[CaseDelta]:
    """Cases of the pair, or of the first matching variants; largest loss first."""
    baseline = await get_run(database, project_id, baseline_id)
    other = await get_run(database, project_id, other_id)
    pairs = _choose(baseline, other, pair)
    if not pairs:
        return Slice(items=[], next=None, total=0)
    before = await get_digest(database, project_id=project_id, run=baseline)
    after = await get_digest(database, project_id=project_id, run=other)
    deltas = await _deltas.get_or_compute(
        (baseline_id, before.number, other_id, after.number, pairs[0]),
        lambda: asyncio.to_thread(compare.list_deltas, before, after, pairs[0]),
    )
    first = 0
    if page.cursor is not None:
        first = bisect_right(deltas, place_of(page.cursor, 2), key=_place)
    shown = deltas[first : first + page.limit]
    return Slice(
        items=await _describe(database, (baseline_id, other_id), pairs[0], shown),
        next=cursor_of(*_place(shown[-1])) if len(deltas) > first + page.limit else None,
        total=len(deltas),
    )


def _place(delta: Delta) -> tuple[float, ...]:
    return delta.difference, delta.position


async def get_run(database: Database, project_id: UUID, run_id: UUID) -> RunDetail:
    async with database.read_inline() as session:
        return await runs.get_run(session, project_id=project_id, run_id=run_id)


def _choose(
    baseline: RunDetail, other: RunDetail, pair: tuple[int, int] | None
) -> Sequence[tuple[int, int]]:
    if pair is None:
        return compare.match_variants(baseline.variants, other.variants)
    for field, run, place in (
        ("baseline_variant", baseline, pair[0]),
        ("variant", other, pair[1]),
    ):
        if place >= run.variant_count:
            message = "The run has no such variant."
            raise Invalid(FieldProblem(field=field, message=message, code="unknown_variant"))
    return [pair]


async def _describe(
    database: Database, run_ids: tuple[UUID, UUID], pair: tuple[int, int], deltas: Sequence[Delta]
) -> list[CaseDelta]:
    async with database.read() as session:
        rows = ResultRows(session)
        places = [delta.position for delta in deltas]
        earlier = [delta.baseline_position for delta in deltas]
        inputs = await rows.find_inputs(run_ids[1], places)
        outputs = await rows.find_outputs(run_ids[1], pair[1], places)
        before = await rows.find_outputs(run_ids[0], pair[0], earlier)
    return [
        CaseDelta(
            position=delta.position,
            baseline_position=delta.baseline_position,
            inputs_preview=preview_of(inputs.get(delta.position, {})),
            baseline_score=delta.baseline_score,
            score=delta.score,
            difference=delta.difference,
            baseline_output_id=before.get(delta.baseline_position),
            output_id=outputs.get(delta.position),
        )
        for delta in deltas
    ]


def preview_of(inputs: Mapping[str, Any]) -> str:
    return " · ".join(value_text(value) for value in inputs.values())[:PREVIEW_CHARACTERS]


def _brief(run: RunDetail) -> RunBrief:
    return RunBrief(id=run.id, name=run.name, variants=[variant.label for variant in run.variants])
