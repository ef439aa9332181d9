"""`experiments/<name>/`: `experiment.yaml`, `configuration.yaml`, `iterations.jsonl`,
`suggestions.jsonl`, `reviews.jsonl`, `looks.jsonl`, and the report in `report/`, which an import
ignores.
"""

from collections.abc import Collection, Mapping
from decimal import Decimal
from typing import Any
from uuid import UUID

from pydantic import ValidationError
from sqlalchemy import or_, select

from edison.loops.bundles.archive import folder_name
from edison.loops.bundles.columns import codec
from edison.loops.bundles.errors import BundleRefused, refusal
from edison.loops.bundles.parts.context import Export, Import
from edison.loops.experiments.models import Experiment, HoldoutLook, Iteration, Suggestion
from edison.loops.experiments.schemas.drafts import ExperimentDraft
from edison.loops.experiments.schemas.iterations import IterationMetrics
from edison.loops.experiments.schemas.suggestions import SuggestedParts
from edison.loops.experiments.states import (
    ACTIVE,
    EDITABLE,
    ExperimentState,
    IterationState,
    SuggestionState,
)
from edison.loops.reviews.models import Review
from edison.workspace.budgets import service as budgets
from edison.workspace.budgets.models import Scope
from edison.workspace.budgets.types import ScopeLimit

_EXPERIMENT = codec(Experiment, "config", "updated_at")
_ITERATION = codec(Iteration, "active_key")
# People's addresses stay in the report.
_REVIEW = codec(Review, "reviewer")
_LOOK = codec(HoldoutLook)
_NOWHERE = {"experiment_id": None, "iteration_id": None, "version_id": None}
_FOLDER = r"experiments/[^/]+/experiment\.yaml"
_LEAST, _MOST = Decimal("0.01"), Decimal(10_000)
_ENDED = "It had not ended when it was exported."


async def write_experiments(
    export: Export,
    experiment_ids: Collection[UUID],
    reports: Mapping[UUID, Mapping[str, bytes]],
) -> None:
    """`reports` are the files of each experiment's report."""
    rows = export.rows
    for number, experiment in enumerate(await rows.list_by_id(Experiment, experiment_ids), start=1):
        folder = f"experiments/{folder_name(number, experiment.name)}"
        export.writer.add_yaml(f"{folder}/experiment.yaml", _EXPERIMENT.encode(experiment))
        if experiment.config is not None:
            export.writer.add_yaml(f"{folder}/configuration.yaml", experiment.config)
        of_experiment = Suggestion.experiment_id == experiment.id
        suggested = select(Suggestion.id).where(of_experiment)
        await export.write_lines(
            f"{folder}/iterations.jsonl",
            rows.stream(
                Iteration, Iteration.experiment_id == experiment.id, order=[Iteration.number]
            ),
            _ITERATION.encode,
        )
        await export.write_lines(
            f"{folder}/suggestions.jsonl",
            rows.stream(Suggestion, of_experiment),
            codec(Suggestion).encode,
        )
        await export.write_lines(
            f"{folder}/reviews.jsonl",
            rows.stream(Review, Review.suggestion_id.in_(suggested)),
            _REVIEW.encode,
        )
        await _write_looks(export, experiment, folder, experiment_ids)
        for name, content in reports.get(experiment.id, {}).items():
            export.writer.add(f"{folder}/report/{name}", content)


async def _write_looks(
    export: Export, experiment: Experiment, folder: str, experiment_ids: Collection[UUID]
) -> None:
    """All looks at the held-out cases that it was tested on, also by experiments that the bundle
    does not contain: every one of them spent a part of the error budget.
    """
    own = select(HoldoutLook.digest).where(HoldoutLook.experiment_id == experiment.id)
    others = [each for each in experiment_ids if each != experiment.id]

    def encode(look: HoldoutLook) -> dict[str, Any]:
        row = _LOOK.encode(look)
        return row if look.experiment_id == experiment.id else row | _NOWHERE

    await export.write_lines(
        f"{folder}/looks.jsonl",
        export.rows.stream(
            HoldoutLook,
            HoldoutLook.project_id == experiment.project_id,
            HoldoutLook.digest.in_(own),
            or_(HoldoutLook.experiment_id.is_(None), HoldoutLook.experiment_id.not_in(others)),
            order=[HoldoutLook.digest, HoldoutLook.number],
        ),
        encode,
    )


async def read_experiments(into: Import) -> None:
    for path in into.bundle.matching(_FOLDER):
        await _read_experiment(into, path)


async def _read_experiment(into: Import, path: str) -> None:
    folder = path.removesuffix("/experiment.yaml")
    values = _EXPERIMENT.decode(into.bundle.yaml(path), place=path, identities=into.identities)
    values["draft"] = _draft(values["draft"], path)
    configuration = f"{folder}/configuration.yaml"
    values["config"] = None
    if configuration in into.bundle.paths:
        found = into.identities.remap(into.bundle.yaml(configuration))
        values["config"] = _draft(found, configuration)
    if values["state"] not in EDITABLE:
        values["state"] = ExperimentState.READY
    if (values["config"] is None) != (values["state"] == ExperimentState.DRAFT):
        raise BundleRefused(path, "state: Only a draft has no configuration.", code="bad_value")
    values |= {
        "project_id": into.project_id,
        "author_id": into.author_id,
        "updated_at": values["created_at"],
    }
    await into.rows.insert(Experiment, [values], part=path)
    await _set_budget(into, values)

    def iteration(place: str, line: dict[str, Any]) -> dict[str, Any]:
        row = _ITERATION.decode(line, place=place, identities=into.identities)
        _check_metrics(row["metrics"], place)
        if row["state"] in ACTIVE:
            row |= {"state": IterationState.CANCELLED, "problem": "imported", "message": _ENDED}
        return row | {"active_key": None}

    def suggestion(place: str, line: dict[str, Any]) -> dict[str, Any]:
        if "parts" not in line:
            # Written before suggestions could change more than the main text.
            line = {**line, "parts": {"text": line.get("text")}}
        row = codec(Suggestion).decode(line, place=place, identities=into.identities)
        row["parts"] = _read_parts(row["parts"], place)
        if row["state"] == SuggestionState.PENDING:
            row["state"] = SuggestionState.SUPERSEDED
        return row | {"project_id": into.project_id}

    def review(place: str, line: dict[str, Any]) -> dict[str, Any]:
        return _REVIEW.decode(line, place=place, identities=into.identities) | {"reviewer": None}

    await into.insert_lines(Iteration, f"{folder}/iterations.jsonl", iteration)
    await into.insert_lines(Suggestion, f"{folder}/suggestions.jsonl", suggestion)
    await into.insert_lines(Review, f"{folder}/reviews.jsonl", review)
    await _read_looks(into, f"{folder}/looks.jsonl")
    into.experiment_ids.append(values["id"])
    into.created.setdefault(Experiment.NOUN, []).append(values["name"])


async def _read_looks(into: Import, path: str) -> None:
    """Looks that the project has already are not counted again; others continue its count."""
    in_project = HoldoutLook.project_id == into.project_id
    for place, line in into.bundle.records(path):
        row = _LOOK.decode(line, place=place, identities=into.identities)
        same_cases = (in_project, HoldoutLook.digest == row["digest"])
        known = await into.rows.list(HoldoutLook, *same_cases)
        if any(each.created_at == row["created_at"] for each in known):
            continue
        last = max((each.number for each in known), default=0)
        row |= {"project_id": into.project_id, "number": max(row["number"], last + 1)}
        await into.rows.insert(HoldoutLook, [row], part=path)


async def _set_budget(into: Import, values: dict[str, Any]) -> None:
    """As a confirmation does: iterations spend from the experiment's own budget."""
    if values["config"] is None:
        return
    limits = ExperimentDraft.model_validate(values["config"]).limits
    await budgets.set_scope_limit(
        into.session,
        project_id=into.project_id,
        scope=(Scope.EXPERIMENT, values["id"]),
        limit=ScopeLimit(
            limit_usd=min(max(limits.budget_usd, _LEAST), _MOST),
            alert_threshold=min(max(limits.alert_threshold, 0.5), 1.0),
        ),
    )


def _draft(value: Any, place: str) -> dict[str, Any]:
    try:
        return ExperimentDraft.model_validate(value).model_dump(mode="json")
    except ValidationError as wrong:
        raise refusal(wrong, place) from wrong


def _read_parts(value: Any, place: str) -> dict[str, Any]:
    try:
        found = SuggestedParts.model_validate(value)
    except ValidationError as wrong:
        raise refusal(wrong, place) from wrong
    return found.model_dump(mode="json", exclude_unset=True)


def _check_metrics(value: Any, place: str) -> None:
    if value is not None:
        try:
            IterationMetrics.model_validate(value)
        except ValidationError as wrong:
            raise refusal(wrong, place) from wrong
