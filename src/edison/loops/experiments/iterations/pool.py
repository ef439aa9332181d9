"""What optimizers search in: measured versions with their scores by case, and training cases."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.session import Database
from edison.kit.errors import NotFound
from edison.kit.lazy_numpy import np
from edison.library.prompts import service as prompts
from edison.loops.experiments.iterations.best import measured_rows
from edison.loops.experiments.models import Experiment, Iteration
from edison.pipeline.refine.optimizer import TRAIN, PoolMember, TrainingCase
from edison.pipeline.render.prompt_template import PromptTemplate
from edison.runs.results import service as results
from edison.runs.store.models import RunCase
from edison.workspace.budgets import service as budgets

# The latest versions; each costs the digest of a run.
MOST_MEMBERS = 12


async def read_versions(
    session: AsyncSession, experiment: Experiment, iterations: Sequence[Iteration]
) -> Mapping[UUID, PromptTemplate]:
    """The latest measured versions that still exist, by the run on the training cases. A version
    that was measured twice has its latest run.
    """
    latest = {
        iteration.version_id: iteration.run_id
        for iteration, _ in measured_rows(iterations)
        if iteration.version_id is not None and iteration.run_id is not None
    }
    found: dict[UUID, PromptTemplate] = {}
    for version_id, run_id in list(latest.items())[-MOST_MEMBERS:]:
        if experiment.prompt_id is None:
            break
        try:
            version = await prompts.get_version(
                session, prompt_id=experiment.prompt_id, version_id=version_id
            )
        except NotFound:
            continue
        found[run_id] = prompts.template_of(version)
    return found


async def build_pool(
    database: Database, *, project_id: UUID, versions: Mapping[UUID, PromptTemplate]
) -> tuple[PoolMember, ...]:
    found = []
    for run_id, prompt in versions.items():
        digest = await results.digest_run(database, project_id=project_id, run_id=run_id)
        # Means over the variants; cases without a score are left out.
        scores = {
            key: float(np.nanmean(row))
            for key, row in zip(digest.case_keys, digest.composites, strict=True)
            if not np.isnan(row).all()
        }
        found.append(PoolMember(prompt=prompt, scores=scores))
    return tuple(found)


def describe_cases(rows: Sequence[RunCase], keys: Sequence[str]) -> tuple[TrainingCase, ...]:
    """`keys` are those of the run's digest, in the order of positions. Only training cases."""
    return tuple(
        TrainingCase(
            key=key,
            inputs=row.inputs,
            expected=row.expected,
            tags=tuple(row.tags),
            split=row.split,
        )
        for row, key in zip(rows, keys, strict=False)
        if row.split == TRAIN
    )


async def find_money_left(session: AsyncSession, experiment: Experiment) -> int | None:
    """Of the smallest budget in reach, in nano-dollars; None without a budget."""
    left = await budgets.list_left(
        session, project_id=experiment.project_id, scope_ids=[experiment.id]
    )
    return min((max(0, each.left_nanos) for each in left), default=None)
