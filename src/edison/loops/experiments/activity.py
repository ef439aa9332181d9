"""The activity list of an experiment.

Actions of users come from the audit log, which outlives their accounts; automatic steps are derived
from the rows and have no actor.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.loops.experiments.iterations.conclude import ANSWERS_FAILED
from edison.loops.experiments.iterations.control import BY_PERSON
from edison.loops.experiments.models import Experiment, Iteration, Suggestion
from edison.loops.experiments.repository.experiments import Experiments
from edison.loops.experiments.repository.iterations import Iterations
from edison.loops.experiments.repository.suggestions import Suggestions
from edison.loops.experiments.schemas.activity import (
    ActivityEntry,
    ActivityKind,
    ExperimentActivity,
)
from edison.loops.experiments.states import IterationState
from edison.workspace.audit import service as audit
from edison.workspace.audit.models import AuditEntry

MOST_SHOWN = 200
# An open draft is saved every half minute; consecutive saves are merged into one entry.
_MOST_READ = 2_000
_OF_EXPERIMENT: Mapping[str, ActivityKind] = {
    "experiment.created": "created",
    "experiment.duplicated": "created",
    "experiment.draft_saved": "configured",
    "experiment.confirmed": "confirmed",
    "experiment.renamed": "renamed",
    "experiment.archived": "archived",
    "experiment.unarchived": "unarchived",
    "experiment.finished": "finished",
    "experiment.iteration_started": "started",
    "experiment.iteration_paused": "paused",
    "experiment.iteration_resumed": "resumed",
    "experiment.iteration_cancelled": "cancelled",
    "experiment.iteration_closed": "closed",
    "experiment.iteration_refined_again": "refined_again",
}
_DECISIONS: Mapping[str, ActivityKind] = {
    "suggestion.approved": "approved",
    "suggestion.edited": "edited",
    "suggestion.rejected": "rejected",
}
_OF_SUGGESTION: Mapping[str, ActivityKind] = {
    **_DECISIONS,
    "suggestion.created": "proposed",
    "suggestion.commented": "commented",
}


async def get_activity(
    session: AsyncSession, *, project_id: UUID, experiment_id: UUID
) -> ExperimentActivity:
    experiment = await Experiments(session).get(project_id, experiment_id)
    iterations = [each for each, _ in await Iterations(session).list_of([experiment_id])]
    suggestions = await Suggestions(session).list_of_experiment(experiment_id)
    noted = await audit.list_of_entities(
        session,
        entities={"experiment": [experiment_id], "suggestion": [each.id for each in suggestions]},
        actions=[*_OF_EXPERIMENT, *_OF_SUGGESTION],
        limit=_MOST_READ,
    )
    by_people = _read_noted(noted, iterations, suggestions)
    started = {each.iteration for each in by_people if each.kind == "started"}
    entries = [
        *by_people,
        *_finish(experiment),
        *(entry for each in iterations for entry in _own_steps(each, started)),
        *_suggested(iterations, suggestions),
        *_pruned(experiment, iterations),
    ]
    entries.sort(key=lambda each: each.at, reverse=True)
    shown = _merge_repeats(entries)
    return ExperimentActivity(entries=shown[:MOST_SHOWN], total=len(shown))


async def list_deciders(
    session: AsyncSession, suggestion_ids: Sequence[UUID]
) -> Mapping[UUID, str | None]:
    """The actor of each decided suggestion; None for automatic approvals."""
    noted = await audit.list_of_entities(
        session,
        entities={"suggestion": suggestion_ids},
        actions=list(_DECISIONS),
        limit=len(suggestion_ids),
    )
    return {UUID(each.entity_id): each.actor for each in noted if each.entity_id is not None}


def _read_noted(
    noted: Sequence[AuditEntry],
    iterations: Sequence[Iteration],
    suggestions: Sequence[Suggestion],
) -> list[ActivityEntry]:
    by_number = {each.number: each for each in iterations}
    suggested = {str(each.id): each for each in suggestions}
    entries = []
    for each in noted:
        after = each.after or {}
        suggestion = suggested.get(each.entity_id or "")
        if suggestion is not None:
            kind = _OF_SUGGESTION[each.action]
            iteration = next((row for row in iterations if row.id == suggestion.iteration_id), None)
            message = after.get("reason") or after.get("note")
        else:
            kind, iteration = _OF_EXPERIMENT[each.action], by_number.get(after.get("iteration", 0))
            message = after["name"] if kind == "renamed" else None
        entries.append(
            _entry(
                kind,
                each.at,
                iteration,
                actor=each.actor,
                suggestion_id=None if suggestion is None else suggestion.id,
                message=message,
            )
        )
    return entries


def _own_steps(iteration: Iteration, started: Iterable[int | None]) -> Iterable[ActivityEntry]:
    """Automatic steps of an iteration."""
    began = {state: datetime.fromisoformat(at) for state, at in iteration.phases.items()}
    if iteration.number not in started:
        yield _entry("started", iteration.created_at, iteration)
    is_measured = iteration.metrics is not None and iteration.problem != ANSWERS_FAILED
    if is_measured and IterationState.AGGREGATING in began:
        yield _entry("measured", began[IterationState.AGGREGATING], iteration)
    if iteration.problem in (None, BY_PERSON):
        return
    if iteration.state == IterationState.PAUSED:
        yield _entry("paused", began[IterationState.PAUSED], iteration, message=iteration.message)
    if iteration.state == IterationState.REVIEWING:
        at = began[IterationState.REVIEWING]
        yield _entry("left_to_people", at, iteration, message=iteration.message)
    if iteration.ended_at is not None:
        is_failed = iteration.state == IterationState.FAILED
        kind: ActivityKind = "failed" if is_failed else "came_short"
        yield _entry(kind, iteration.ended_at, iteration, message=iteration.message)


def _suggested(
    iterations: Sequence[Iteration], suggestions: Sequence[Suggestion]
) -> Iterable[ActivityEntry]:
    """Suggestions of an iteration become one entry, which leads to the first one offered."""
    by_id = {each.id: each for each in iterations}
    own = [each for each in suggestions if each.origin != BY_PERSON]
    for iteration_id, group in groupby(own, key=lambda each: each.iteration_id):
        some = list(group)
        first = some[0]
        iteration = by_id.get(iteration_id)
        entry = _entry("suggested", first.created_at, iteration, suggestion_id=first.id)
        yield entry.model_copy(update={"count": len(some)})


def _pruned(experiment: Experiment, iterations: Sequence[Iteration]) -> Iterable[ActivityEntry]:
    by_number = {each.number: each for each in iterations}
    for each in experiment.pruned:
        iteration = by_number.get(each["iteration"])
        at = None if iteration is None else iteration.phases.get(IterationState.AGGREGATING)
        if at is not None:
            when = datetime.fromisoformat(at)
            yield _entry("pruned", when, iteration, message=each["message"])


def _finish(experiment: Experiment) -> Iterable[ActivityEntry]:
    if experiment.completed_at is not None and experiment.stop_reason != BY_PERSON:
        message = experiment.stop_message
        yield _entry("finished", experiment.completed_at, None, message=message)


def _merge_repeats(entries: Sequence[ActivityEntry]) -> list[ActivityEntry]:
    """Merges consecutive configuration changes by the same actor; keeps the latest."""
    told: list[ActivityEntry] = []
    for each in entries:
        before = told[-1] if told else None
        is_same = before is not None and before.kind == each.kind and before.actor == each.actor
        if not (each.kind == "configured" and is_same):
            told.append(each)
    return told


def _entry(
    kind: ActivityKind,
    at: datetime,
    iteration: Iteration | None,
    *,
    actor: str | None = None,
    suggestion_id: UUID | None = None,
    message: str | None = None,
) -> ActivityEntry:
    return ActivityEntry(
        at=at,
        kind=kind,
        actor=actor,
        iteration=None if iteration is None else iteration.number,
        iteration_id=None if iteration is None else iteration.id,
        version_label=None if iteration is None else iteration.version_label,
        suggestion_id=suggestion_id,
        count=None,
        message=message,
    )
