"""Builds the refiner input: scores, weak criteria, exemplars and earlier suggestions."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.session import Database
from edison.kit.errors import NotFound
from edison.kit.lazy_dataclasses import dataclass
from edison.library.prompts import service as prompts
from edison.library.prompts.models import PromptVersion
from edison.loops.experiments.drafts.configure import PANEL_POSITION, read_config
from edison.loops.experiments.iterations import pool
from edison.loops.experiments.iterations.best import find_base, measured_rows
from edison.loops.experiments.iterations.measure import metrics_of
from edison.loops.experiments.models import Experiment, Iteration, Suggestion
from edison.loops.experiments.repository.experiments import Experiments
from edison.loops.experiments.repository.iterations import Iterations
from edison.loops.experiments.repository.suggestions import Suggestions
from edison.loops.experiments.schemas.drafts import ExperimentDraft
from edison.loops.experiments.schemas.iterations import IterationMetrics
from edison.loops.experiments.schemas.suggestions import TrialRead
from edison.loops.experiments.states import SuggestionState
from edison.pipeline.refine.exemplars import Exemplar, ScoredOutput, choose_exemplars
from edison.pipeline.refine.optimizer import EarlierSuggestion, RefinerInput, SuggestionFate
from edison.pipeline.refine.parts import with_parts
from edison.pipeline.refine.weakness import TargetCriterion, weakest_criteria
from edison.pipeline.render.prompt_template import PromptTemplate
from edison.runs.results import service as results
from edison.runs.store.models import Output, RunCase, Score

# Lowest-scored answers from which exemplars are chosen.
WORST = 300
# Training cases that an optimizer sees.
MOST_CASES = 1000
VERSION_GONE = "The version of the prompt that was tested is gone."

_FATES = {
    SuggestionState.APPROVED: SuggestionFate.APPROVED,
    SuggestionState.EDITED: SuggestionFate.EDITED,
    SuggestionState.REJECTED: SuggestionFate.REJECTED,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RefinerContext:
    """The data that refining an iteration needs. `output_ids` are the exemplars' outputs by case
    and variant.
    """

    project_id: UUID
    version: PromptVersion
    refiner_input: RefinerInput
    output_ids: Mapping[tuple[str, str], UUID]


async def build_refiner_context(database: Database, iteration: Iteration) -> RefinerContext | str:
    """Returns a message instead if the version or the run was deleted."""
    config = read_config(iteration.config)
    async with database.read() as session:
        experiment = await Experiments(session).find(iteration.experiment_id)
        measured = await _list_earlier(session, iteration)
        base = _find_base(measured, iteration)
        version = await _find_version(session, experiment, base)
        if experiment is None or version is None or base.run_id is None:
            return VERSION_GONE
        worst = await Iterations(session).list_worst(
            base.run_id, scorer=PANEL_POSITION, limit=WORST
        )
        history = await _history(session, experiment, iteration, prompts.template_of(version))
        versions = await pool.read_versions(session, experiment, measured)
        cases = await Iterations(session).list_cases(base.run_id, limit=MOST_CASES)
        money_left = await pool.find_money_left(session, experiment)
    digest = await results.digest_run(
        database, project_id=experiment.project_id, run_id=base.run_id
    )
    keys = digest.layout.rubrics.get(PANEL_POSITION) or {}
    criteria = _criteria(config, keys)
    weak = weakest_criteria(digest.summary, criteria)
    exemplars = choose_exemplars([_scored(*row, keys) for row in worst], weak)
    return RefinerContext(
        project_id=experiment.project_id,
        version=version,
        refiner_input=RefinerInput(
            iteration=iteration.number,
            goal=config.objective.goal,
            prompt=prompts.template_of(version),
            criteria=criteria,
            weak=weak,
            exemplars=exemplars,
            history=history,
            pool=await pool.build_pool(
                database, project_id=experiment.project_id, versions=versions
            ),
            cases=pool.describe_cases(cases, digest.case_keys),
            # Equal for every attempt at this step.
            seed=experiment.id.int % 2**31,
            money_left_nanos=money_left,
        ),
        output_ids={
            (str(case.position), str(output.variant_position)): output.id
            for output, _, case in worst
        },
    )


async def _list_earlier(session: AsyncSession, iteration: Iteration) -> Sequence[Iteration]:
    """The iterations up to this one, oldest first."""
    rows = await Iterations(session).list_of([iteration.experiment_id])
    earlier = [each for each, _ in rows if each.number <= iteration.number]
    return sorted(earlier, key=lambda each: each.number)


def _find_base(earlier: Sequence[Iteration], iteration: Iteration) -> Iteration:
    """The iteration whose version leads on the training cases so far, rather than the last one."""
    base = find_base(measured_rows(earlier))
    return iteration if base is None or base[0].run_id is None else base[0]


async def _find_version(
    session: AsyncSession, experiment: Experiment | None, iteration: Iteration
) -> PromptVersion | None:
    if experiment is None or experiment.prompt_id is None or iteration.version_id is None:
        return None
    try:
        return await prompts.get_version(
            session, prompt_id=experiment.prompt_id, version_id=iteration.version_id
        )
    except NotFound:
        return None


def _criteria(config: ExperimentDraft, keys: Mapping[str, str]) -> tuple[TargetCriterion, ...]:
    return tuple(
        TargetCriterion(
            key=keys[each.name],
            name=each.name,
            description=each.description,
            weight=each.weight,
        )
        for each in config.rubric.criteria
        if each.name in keys
    )


def _scored(output: Output, score: Score, case: RunCase, keys: Mapping[str, str]) -> ScoredOutput:
    judged = {keys[name]: each for name, each in (score.criteria or {}).items() if name in keys}
    return ScoredOutput(
        case=str(case.position),
        variant=str(output.variant_position),
        inputs=case.inputs,
        output=output.parsed or output.text or "",
        expected=case.expected,
        tags=tuple(case.tags),
        scores={key: each["value"] for key, each in judged.items() if each["value"] is not None},
        rationales={keys[name]: said for name in keys if (said := _rationale(score, name))},
    )


def _rationale(score: Score, name: str) -> str:
    """The judges' rationales about a criterion, without duplicates."""
    said = [
        judge["criteria"].get(name, {}).get("rationale") for judge in (score.judges or {}).values()
    ]
    return " ".join(dict.fromkeys(each for each in said if each))


async def _history(
    session: AsyncSession, experiment: Experiment, iteration: Iteration, now: PromptTemplate
) -> tuple[EarlierSuggestion, ...]:
    tested = {
        each.version_id: each for each, _ in await Iterations(session).list_of([experiment.id])
    }
    return tuple(
        _tried(each, tested.get(each.version_id) if each.version_id else None, now)
        for each in await Suggestions(session).list_of_experiment(experiment.id)
        if each.iteration_id != iteration.id
    )


def _tried(
    suggestion: Suggestion, tested: Iteration | None, now: PromptTemplate
) -> EarlierSuggestion:
    metrics = None if tested is None else metrics_of(tested)
    change = None if metrics is None else metrics.change
    trial = (
        None if suggestion.trial is None else TrialRead.model_validate(suggestion.trial).comparison
    )
    measured = change or trial
    return EarlierSuggestion(
        prompt=with_parts(now, suggestion.parts),
        diff=suggestion.diff,
        note=suggestion.note,
        targets=tuple(each["key"] for each in suggestion.targets),
        fate=_FATES.get(SuggestionState(suggestion.state), SuggestionFate.UNDECIDED),
        reason=suggestion.reason or "",
        verdict=None if trial is None else trial.verdict,
        difference=None if measured is None else measured.difference.value,
    )


def describe_targets(
    targets: Sequence[str], criteria: Sequence[TargetCriterion], metrics: IterationMetrics | None
) -> list[dict[str, object]]:
    """Names and current means of the targeted criteria, for display."""
    names = {each.key: each.name for each in criteria}
    means = {} if metrics is None else {each.key: each.mean for each in metrics.criteria}
    return [{"key": key, "name": names.get(key, key), "mean": means.get(key)} for key in targets]


def describe_exemplar(exemplar: Exemplar, ground: RefinerContext) -> dict[str, object]:
    """As stored with a suggestion: scores and rationales by criterion name."""
    output = exemplar.output
    names = {each.key: each.name for each in ground.refiner_input.criteria}
    output_id = ground.output_ids.get((output.case, output.variant))
    return {
        "case_position": int(output.case),
        "variant_position": int(output.variant),
        "output_id": None if output_id is None else str(output_id),
        "inputs": dict(output.inputs),
        "output": output.output,
        "expected": output.expected,
        "tags": list(output.tags),
        "weakest": names.get(exemplar.weakest, exemplar.weakest),
        "scores": {names.get(key, key): value for key, value in output.scores.items()},
        "rationales": {names.get(key, key): said for key, said in output.rationales.items()},
    }
