"""Run requests of a confirmed experiment."""

from collections.abc import Collection, Sequence
from typing import Any
from uuid import UUID

from edison.kit.money import nanos_from_usd
from edison.loops.experiments.drafts.grid import Configuration, list_configurations
from edison.loops.experiments.models import Experiment
from edison.loops.experiments.schemas.drafts import ExperimentDraft, SafetyChoice
from edison.pipeline.refine.stop import StopRules
from edison.runs.plan.schemas import MOST_VARIANTS, RunRequest

TRAIN = "train"
HOLDOUT = "holdout"
JUDGES_LABEL = "Judges"
PAIRWISE_LABEL = "Pairwise judge"
# Index of the panel among a run's scorers.
PANEL_POSITION = 0


def read_config(stored: dict[str, Any]) -> ExperimentDraft:
    return ExperimentDraft.model_validate(stored)


def pruned_keys(experiment: Experiment) -> frozenset[str]:
    """Keys of the configurations that further iterations leave out."""
    return frozenset(each["variant"] for each in experiment.pruned)


def kept_configurations(
    config: ExperimentDraft, pruned: Collection[str]
) -> Sequence[Configuration]:
    """The configurations that are still compared; all of them if a change of the experiment would
    leave none.
    """
    every = list_configurations(config.models)
    return [each for each in every if each.key not in pruned] or every


def refiner_of(config: ExperimentDraft) -> UUID:
    return config.limits.refiner_model_id or config.judges.judges[0]


def stop_rules(config: ExperimentDraft) -> StopRules:
    limits = config.limits
    return StopRules(
        max_iterations=limits.max_iterations,
        min_improvement=limits.min_improvement,
        convergence_window=limits.convergence_window,
        max_cost_nanos=nanos_from_usd(limits.budget_usd),
        max_tokens=limits.max_tokens,
        stops_without_suggestion=limits.stops_without_suggestion,
    )


def run_request(
    config: ExperimentDraft,
    *,
    name: str,
    version_id: UUID | None,
    split: str,
    pruned: Collection[str] = (),
) -> RunRequest:
    """One run of an iteration: over the training cases or over the holdout cases."""
    configurations = kept_configurations(config, pruned)
    most = config.data.max_train_cases if split == TRAIN else config.data.max_holdout_cases
    return RunRequest.model_validate(
        {
            "name": name,
            "variants": [
                {
                    "prompt_id": config.prompt.prompt_id,
                    "version_id": version_id,
                    "model_id": each.model_id,
                    "parameters": each.parameters,
                }
                for each in configurations
            ],
            "dataset_id": config.data.dataset_id,
            "cases": {"filter": {"split": split, "tag": config.data.tag}, "limit": most},
            "repeats": config.models.repeats,
            "scorers": [_panel(config), *_saved(config), *_safety(config.judges.safety)],
            "comparers": _comparers(config) if split == TRAIN and len(configurations) > 1 else [],
        }
    )


def trial_request(
    config: ExperimentDraft,
    *,
    name: str,
    version_id: UUID | None,
    suggestions: int,
    pruned: Collection[str],
) -> RunRequest:
    """The run that tries suggestions on the training cases: the variants of the first suggestion,
    then those of the second, and so on. Leaves out model configurations beyond the limit of a run.
    """
    wanted = run_request(config, name=name, version_id=version_id, split=TRAIN, pruned=pruned)
    variants = wanted.variants[: max(1, MOST_VARIANTS // suggestions)]
    return wanted.model_copy(update={"variants": variants * suggestions, "comparers": []})


def _rubric(config: ExperimentDraft) -> dict[str, Any]:
    return {
        "goal": config.objective.goal,
        "criteria": [each.model_dump() for each in config.rubric.criteria],
    }


def _panel(config: ExperimentDraft) -> dict[str, Any]:
    judges = [str(each) for each in config.judges.judges]
    return {
        "kind": "judge_panel",
        "label": JUDGES_LABEL,
        "options": {"judges": judges, **_rubric(config)},
    }


def _saved(config: ExperimentDraft) -> list[dict[str, Any]]:
    return [{"scorer_version_id": each} for each in config.judges.scorer_version_ids]


def _comparers(config: ExperimentDraft) -> list[dict[str, Any]]:
    if not config.judges.is_pairwise or config.judges.pairwise_judge is None:
        return []
    options = {"model_id": str(config.judges.pairwise_judge), **_rubric(config)}
    return [{"kind": "pairwise_judge", "label": PAIRWISE_LABEL, "options": options}]


def _safety(wanted: SafetyChoice) -> list[dict[str, Any]]:
    """Safety scorers are reported, but not part of the composite score."""
    shared = {"mode": "block" if wanted.is_blocking else "flag", "looks_at": "output"}
    kinds: list[tuple[str, bool, dict[str, Any]]] = [
        ("pii", wanted.pii, {}),
        ("jailbreak", wanted.jailbreak, {}),
        ("profanity", wanted.toxicity, {}),
        (
            "moderation",
            wanted.moderation_model_id is not None,
            {"model_id": str(wanted.moderation_model_id)},
        ),
    ]
    return [
        {"kind": kind, "weight": 0, "options": {**shared, **options}}
        for kind, is_wanted, options in kinds
        if is_wanted
    ]
