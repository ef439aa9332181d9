"""The gate: tests the version that leads on the training cases once, on held-out cases, against the
first version.

Every test is a look at these held-out cases and spends a part of their error budget, which all
experiments of the project share. A look is registered before the test is computed: a process that
resumes after a crash finds it and spends nothing more.
"""

import hashlib
from collections.abc import Mapping, Sequence
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.session import Database
from edison.kit import clock, ids
from edison.kit.lazy_dataclasses import dataclass
from edison.loops.experiments.iterations.best import measure_versions
from edison.loops.experiments.models import Experiment, HoldoutLook, Iteration
from edison.loops.experiments.repository.looks import HoldoutLooks
from edison.loops.experiments.schemas.iterations import HoldoutTestRead, IterationMetrics
from edison.pipeline.aggregate.alpha import alpha_of_look, can_succeed
from edison.pipeline.refine.choose import needs_test
from edison.runs.results import service as results
from edison.runs.results.schemas.statistics import ComparisonVerdict

Row = tuple[Iteration, IterationMetrics]
# Concurrent experiments on the same held-out cases may take a number first.
MOST_TRIES = 20
TOO_MANY_TRIES = "Other loops keep taking the next look at these held-out cases."


@dataclass(frozen=True, slots=True, kw_only=True)
class Tested:
    """The iteration whose version was tested, with its metrics including the test."""

    iteration_id: UUID
    metrics: IterationMetrics


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pair:
    """The held-out runs of the first version and of the leader, and the identity of the cases."""

    leader: Iteration
    metrics: IterationMetrics
    first_run_id: UUID
    run_id: UUID
    digest: str
    cases: int


async def check_leader(
    database: Database, experiment: Experiment, iteration: Iteration, rows: Sequence[Row]
) -> Tested | None:
    """`rows` are the measured iterations, oldest first, up to `iteration`. None if there is nothing
    to test: the first version leads, the leader was tested before, or it has no held-out scores.
    """
    pair = await _find_pair(database, experiment.project_id, rows)
    if pair is None:
        return None
    look = await _register(database, experiment, iteration, pair)
    comparison: ComparisonVerdict | None = None
    if isinstance(look, HoldoutLook):
        comparison = await results.compare_overall(
            database,
            project_id=experiment.project_id,
            baseline_id=pair.first_run_id,
            other_id=pair.run_id,
            alpha=look.alpha,
        )
        test = HoldoutTestRead(
            look=look.number, alpha=look.alpha, looks=look.number, cases=pair.cases
        )
    else:
        test = HoldoutTestRead(look=None, alpha=None, looks=look, cases=pair.cases)
    return Tested(
        iteration_id=pair.leader.id,
        metrics=pair.metrics.model_copy(update={"against_first": comparison, "holdout_test": test}),
    )


async def _find_pair(database: Database, project_id: UUID, rows: Sequence[Row]) -> _Pair | None:
    leader = needs_test(measure_versions(rows))
    if leader is None:
        return None
    iteration, metrics = next(row for row in rows if str(row[0].number) == leader.version)
    first = next(each for each, measured in rows if measured.train.value is not None).holdout_run_id
    if first is None or iteration.holdout_run_id is None:
        return None
    found = await results.digest_run(
        database, project_id=project_id, run_id=iteration.holdout_run_id
    )
    return _Pair(
        leader=iteration,
        metrics=metrics,
        first_run_id=first,
        run_id=iteration.holdout_run_id,
        digest=digest_of(found.case_keys),
        cases=len(found.case_keys),
    )


def digest_of(case_keys: Sequence[str]) -> str:
    """The identity of a set of cases, by their contents and whatever their order."""
    return hashlib.sha256("\n".join(sorted(case_keys)).encode()).hexdigest()


async def _register(
    database: Database, experiment: Experiment, iteration: Iteration, pair: _Pair
) -> HoldoutLook | int:
    """The iteration's look; or the number of looks so far, if the next one cannot succeed."""
    for _ in range(MOST_TRIES):
        async with database.write() as session:
            look: HoldoutLook | int | None = await HoldoutLooks(session).find_of(iteration.id)
            if look is None:
                look = await take_look(
                    session,
                    project_id=experiment.project_id,
                    digest=pair.digest,
                    cases=pair.cases,
                    origin={
                        "experiment_id": experiment.id,
                        "iteration_id": iteration.id,
                        "version_id": pair.leader.version_id,
                    },
                )
            if look is not None:
                return look
    raise RuntimeError(TOO_MANY_TRIES)


async def count_looks(session: AsyncSession, *, project_id: UUID, digest: str) -> int:
    """Looks at the held-out cases with this digest so far, by all loops of the project."""
    return await HoldoutLooks(session).count(project_id, digest)


async def get_look(session: AsyncSession, look_id: UUID) -> HoldoutLook:
    return await session.get_one(HoldoutLook, look_id)


async def take_look(
    session: AsyncSession,
    *,
    project_id: UUID,
    digest: str,
    cases: int,
    origin: Mapping[str, UUID | None],
) -> HoldoutLook | int | None:
    """Registers the next look at a held-out set. Returns the number of looks so far, if the next
    one cannot succeed; None if another loop took its number: try again in a new transaction.
    `origin` are columns that say what the look is for.
    """
    looks = HoldoutLooks(session)
    spent = await looks.count(project_id, digest)
    if not can_succeed(cases, look=spent + 1):
        return spent
    return await looks.add(
        {
            "id": ids.new_id(),
            "project_id": project_id,
            "digest": digest,
            "number": spent + 1,
            "alpha": alpha_of_look(spent + 1),
            "created_at": clock.now(),
            **origin,
        }
    )
