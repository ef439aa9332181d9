"""What belongs into a bundle: the thing itself, and everything it refers to."""

from collections.abc import Iterable
from dataclasses import field
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, select

from edison.kit.errors import NotFound
from edison.kit.lazy_dataclasses import dataclass
from edison.library.datasets.models import Dataset
from edison.library.models.models import Model
from edison.library.prompts.models import Prompt, PromptVersion
from edison.library.scorers.models import Rubric, RubricVersion, SavedScorer, ScorerVersion
from edison.loops.bundles.identities import ids_in
from edison.loops.bundles.manifest import BundleKind
from edison.loops.bundles.repository import Rows
from edison.loops.experiments.models import Experiment, Iteration
from edison.loops.monitors.models import Monitor, MonitorCheck, MonitorModel, MonitorScorer
from edison.runs.store.models import Run, RunComparer, RunScorer, RunVariant
from edison.runs.store.states import OVER
from edison.workspace.projects.models import Project

Condition = ColumnElement[bool]


@dataclass(kw_only=True)
class BundleSelection:
    """Ids of what is exported. `runs` are finished ones. `with_checks`: the monitors come with
    their checks.
    """

    name: str
    prompts: set[UUID] = field(default_factory=set)
    datasets: set[UUID] = field(default_factory=set)
    models: set[UUID] = field(default_factory=set)
    scorers: set[UUID] = field(default_factory=set)
    rubrics: set[UUID] = field(default_factory=set)
    runs: set[UUID] = field(default_factory=set)
    experiments: set[UUID] = field(default_factory=set)
    monitors: set[UUID] = field(default_factory=set)
    with_checks: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What to export; `id` is None for the project. `with_runs` adds finished runs with their
    results, and the checks of monitors; the runs of an experiment always belong to it.
    """

    kind: BundleKind
    id: UUID | None
    with_runs: bool = False


_TABLES: dict[BundleKind, Any] = {
    BundleKind.PROMPT: Prompt,
    BundleKind.DATASET: Dataset,
    BundleKind.EXPERIMENT: Experiment,
    BundleKind.MONITOR: Monitor,
}


class Selecting:
    def __init__(self, rows: Rows, project_id: UUID) -> None:
        self._rows = rows
        self._project_id = project_id

    async def select(self, wanted: Wanted) -> BundleSelection:
        """Raises NotFound."""
        match wanted.kind:
            case BundleKind.DATASET:
                dataset = await self._get(Dataset, wanted.id)
                return BundleSelection(name=dataset.name, datasets={dataset.id})
            case BundleKind.PROMPT:
                return await self._of_prompt(wanted)
            case BundleKind.EXPERIMENT:
                return await self._of_experiment(wanted)
            case BundleKind.MONITOR:
                monitor = await self._get(Monitor, wanted.id)
                found = BundleSelection(name=monitor.name, with_checks=wanted.with_runs)
                await self._add_monitors(found, Monitor.id == monitor.id)
                return found
            case BundleKind.PROJECT:
                return await self._of_project(wanted)

    async def find_id(self, kind: BundleKind, name: str) -> UUID:
        """The newest with this name, or the one with this id. Raises NotFound."""
        table = _TABLES[kind]
        found = await self._rows.list(
            table, table.project_id == self._project_id, table.name == name
        )
        if not found and (ids := ids_in(name)):
            found = [await self._get(table, ids.pop())]
        if not found:
            raise NotFound(f"There is no {table.NOUN} {name!r} in this project.")
        newest: UUID = found[-1].id
        return newest

    async def _of_prompt(self, wanted: Wanted) -> BundleSelection:
        """The prompt system: with what the prompt was run on, with and by."""
        prompt = await self._get(Prompt, wanted.id)
        found = BundleSelection(name=prompt.name, prompts={prompt.id})
        used = select(RunVariant.run_id).where(RunVariant.prompt_id == prompt.id)
        await self._add_run_contents(found, Run.id.in_(used))
        if wanted.with_runs:
            found.runs = await self._finished(Run.id.in_(used))
            found.with_checks = True
        await self._add_monitors(found, Monitor.prompt_id == prompt.id)
        return found

    async def _of_experiment(self, wanted: Wanted) -> BundleSelection:
        experiment = await self._get(Experiment, wanted.id)
        found = BundleSelection(name=experiment.name, experiments={experiment.id})
        found.prompts |= _given(experiment.prompt_id)
        found.datasets |= _given(experiment.dataset_id)
        of_experiment = Iteration.experiment_id == experiment.id
        ids: set[UUID] = set()
        for column in (Iteration.run_id, Iteration.holdout_run_id, Iteration.trial_run_id):
            ids |= await self._rows.column(column, of_experiment)
        await self._add_run_contents(found, Run.id.in_(ids))
        found.runs = await self._finished(Run.id.in_(ids))
        await self._add_mentioned(found, [experiment.draft, experiment.config])
        return found

    async def _of_project(self, wanted: Wanted) -> BundleSelection:
        project = (await self._rows.list_by_id(Project, [self._project_id]))[0]
        found = BundleSelection(name=project.name)
        found.prompts = await self._all(Prompt)
        found.datasets = await self._all(Dataset)
        found.models = await self._all(Model)
        found.scorers = await self._all(SavedScorer)
        found.rubrics = await self._all(Rubric)
        found.monitors = await self._all(Monitor)
        if wanted.with_runs:
            found.experiments = await self._all(Experiment)
            found.runs = await self._finished(Run.project_id == self._project_id)
            found.with_checks = True
        return found

    async def _add_monitors(self, found: BundleSelection, condition: Condition) -> None:
        """Monitors with what they check, use and are judged by; with their runs, if checks are
        exported.
        """
        monitors = await self._rows.list(Monitor, Monitor.project_id == self._project_id, condition)
        ids = {each.id for each in monitors}
        found.monitors |= ids
        for monitor in monitors:
            found.prompts |= _given(monitor.prompt_id)
            found.datasets |= _given(monitor.dataset_id)
        found.models |= await self._rows.column(
            MonitorModel.model_id, MonitorModel.monitor_id.in_(ids)
        )
        found.scorers |= await self._rows.column(
            MonitorScorer.scorer_id, MonitorScorer.monitor_id.in_(ids)
        )
        owned = await self._rows.column(
            ScorerVersion.id, ScorerVersion.scorer_id.in_(found.scorers)
        )
        await self._add_scorer_versions(found, owned)
        await self._add_mentioned(found, [each.config for each in monitors])
        if found.with_checks:
            checks = MonitorCheck.monitor_id.in_(ids)
            runs: set[UUID] = set()
            for column in (MonitorCheck.run_id, MonitorCheck.confirm_run_id):
                runs |= await self._rows.column(column, checks)
            await self._add_run_contents(found, Run.id.in_(runs))
            found.runs |= await self._finished(Run.id.in_(runs))

    async def _get(self, table: Any, row_id: UUID | None) -> Any:
        found = await self._rows.find(
            table, table.project_id == self._project_id, table.id == row_id
        )
        if found is None:
            raise NotFound(f"There is no such {table.NOUN}.")
        return found

    async def _all(self, table: Any) -> set[UUID]:
        return await self._rows.column(table.id, table.project_id == self._project_id)

    async def _finished(self, condition: Condition) -> set[UUID]:
        return await self._rows.column(
            Run.id, condition, Run.project_id == self._project_id, Run.state.in_(OVER)
        )

    async def _add_run_contents(self, found: BundleSelection, runs: Condition) -> None:
        """Prompts, datasets, models and scorers that the runs used and that still exist."""
        of_project = select(Run.id).where(runs, Run.project_id == self._project_id)
        variants = RunVariant.run_id.in_(of_project)
        scorers = RunScorer.run_id.in_(of_project)
        found.prompts |= await self._rows.column(RunVariant.prompt_id, variants)
        found.models |= await self._rows.column(RunVariant.model_id, variants)
        found.models |= await self._rows.column(RunVariant.fallback_model_id, variants)
        found.datasets |= await self._rows.column(Run.dataset_id, Run.id.in_(of_project))
        used = await self._rows.column(RunScorer.scorer_version_id, scorers)
        await self._add_scorer_versions(found, used)
        options = [each.options for each in await self._rows.list(RunScorer, scorers)]
        comparers = await self._rows.list(RunComparer, RunComparer.run_id.in_(of_project))
        await self._add_mentioned(found, [*options, *(each.options for each in comparers)])

    async def _add_scorer_versions(self, found: BundleSelection, version_ids: set[UUID]) -> None:
        """The scorers with these versions, and the rubrics and models of all their versions."""
        owners = {
            each.scorer_id for each in await self._rows.list_by_id(ScorerVersion, version_ids)
        }
        found.scorers |= owners
        versions = await self._rows.list(ScorerVersion, ScorerVersion.scorer_id.in_(owners))
        rubric_versions = {each.rubric_version_id for each in versions if each.rubric_version_id}
        for each in await self._rows.list_by_id(RubricVersion, rubric_versions):
            found.rubrics.add(each.rubric_id)
        await self._add_mentioned(found, [each.options for each in versions])

    async def _add_mentioned(self, found: BundleSelection, values: Iterable[Any]) -> None:
        """Models, prompts, rubrics and scorers whose ids occur in JSON values."""
        ids = set().union(*map(ids_in, values))
        if not ids:
            return
        found.models |= await self._all(Model) & ids
        found.prompts |= await self._all(Prompt) & ids
        mine = select(Prompt.id).where(Prompt.project_id == self._project_id)
        found.prompts |= await self._rows.column(
            PromptVersion.prompt_id,
            PromptVersion.prompt_id.in_(mine),
            PromptVersion.id.in_(ids),
        )
        rubrics = select(Rubric.id).where(Rubric.project_id == self._project_id)
        found.rubrics |= await self._rows.column(
            RubricVersion.rubric_id, RubricVersion.rubric_id.in_(rubrics), RubricVersion.id.in_(ids)
        )
        scorers = select(SavedScorer.id).where(SavedScorer.project_id == self._project_id)
        versions = await self._rows.column(
            ScorerVersion.id,
            ScorerVersion.scorer_id.in_(scorers),
            ScorerVersion.scorer_id.not_in(found.scorers),
            ScorerVersion.id.in_(ids),
        )
        if versions:
            await self._add_scorer_versions(found, versions)


def _given(value: UUID | None) -> set[UUID]:
    return set() if value is None else {value}
