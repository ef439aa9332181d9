"""Tables of experiments, their iterations, looks at held-out cases, and suggestions.

An iteration's row determines its next step. Waiting for a user occupies no process.
"""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    JSON,
    BigInteger,
    CheckConstraint,
    ForeignKey,
    Index,
    SmallInteger,
    String,
    Text,
    UniqueConstraint,
    Uuid,
)
from sqlalchemy.orm import Mapped, mapped_column

from edison.db.base import Base, Identified
from edison.loops.experiments.states import ExperimentState, IterationState, SuggestionState
from edison.workspace.resources.models import Resource

# Unlike JSONB, JSON keeps the order of keys and the notation of numbers.
_Json = JSON(none_as_null=True)


def _one_of(column: str, states: type[ExperimentState | IterationState | SuggestionState]) -> str:
    listed = ", ".join(f"'{state}'" for state in states)
    return f"{column} IN ({listed})"


class Experiment(Resource, Base):
    """`draft` is edited by users, with `draft_version` for optimistic locking; `config` is the
    draft as last confirmed, which iterations use.

    `version_id` is the prompt version that the next iteration tests. `pruned` holds the model
    configurations that iterations leave out: `{"variant", "label", "iteration", "message"}`.
    `stop_reason` and `stop_message` say why a completed experiment ended.
    """

    NOUN = "experiment"

    __tablename__ = "experiments"
    __table_args__ = (
        Index(None, "project_id", "updated_at", "id"),
        Index(None, "project_id", "created_at", "id"),
        CheckConstraint(_one_of("state", ExperimentState), name="state"),
    )

    state: Mapped[str] = mapped_column(String(20))
    author_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("users.id", ondelete="SET NULL"), index=True
    )
    template: Mapped[str | None] = mapped_column(String(40))
    step: Mapped[str] = mapped_column(String(20))
    draft_version: Mapped[int] = mapped_column(default=1)
    prompt_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("prompts.id", ondelete="SET NULL"), index=True
    )
    version_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("prompt_versions.id", ondelete="SET NULL"), index=True
    )
    dataset_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("datasets.id", ondelete="SET NULL"), index=True
    )
    rubric_version_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("rubric_versions.id", ondelete="SET NULL"), index=True
    )
    iteration_count: Mapped[int] = mapped_column(default=0)
    stop_reason: Mapped[str | None] = mapped_column(String(40))
    stop_message: Mapped[str | None] = mapped_column(Text)
    confirmed_at: Mapped[datetime | None]
    completed_at: Mapped[datetime | None]
    draft: Mapped[dict[str, Any]] = mapped_column(_Json)
    config: Mapped[dict[str, Any] | None] = mapped_column(_Json)
    pruned: Mapped[list[dict[str, Any]]] = mapped_column(_Json)


class Iteration(Identified, Base):
    """One iteration: a run on the training cases, a run on the holdout cases, the refinement, and
    the trial of its suggestions on the training cases (`trial_run_id`).

    `active_key` is the experiment's id while the iteration is active: a unique constraint allows
    one active iteration per experiment. `config` is the configuration at its start. `problem` and
    `message` say why it failed, was paused, or produced no suggestion. `metrics` holds the
    measurements, `refinement` the refiners' notes and failures, `sampling` the reason for an early
    stop. `process_id` is the process that refines it.
    """

    __tablename__ = "iterations"
    __table_args__ = (
        UniqueConstraint("experiment_id", "number"),
        UniqueConstraint("active_key"),
        Index(None, "state"),
        CheckConstraint(_one_of("state", IterationState), name="state"),
        CheckConstraint("number >= 1", name="number_positive"),
    )

    experiment_id: Mapped[UUID] = mapped_column(ForeignKey("experiments.id", ondelete="CASCADE"))
    number: Mapped[int]
    state: Mapped[str] = mapped_column(String(20))
    active_key: Mapped[UUID | None] = mapped_column(Uuid())
    author_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("users.id", ondelete="SET NULL"), index=True
    )
    version_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("prompt_versions.id", ondelete="SET NULL"), index=True
    )
    version_label: Mapped[str] = mapped_column(String(20))
    run_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("runs.id", ondelete="SET NULL"), index=True
    )
    holdout_run_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("runs.id", ondelete="SET NULL"), index=True
    )
    trial_run_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("runs.id", ondelete="SET NULL"), index=True
    )
    process_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("worker_processes.id", ondelete="SET NULL"), index=True
    )
    problem: Mapped[str | None] = mapped_column(String(40))
    message: Mapped[str | None] = mapped_column(Text)
    refine_cost_nanos: Mapped[int] = mapped_column(BigInteger, default=0)
    refine_tokens: Mapped[int] = mapped_column(BigInteger, default=0)
    created_at: Mapped[datetime]
    started_at: Mapped[datetime | None]
    ended_at: Mapped[datetime | None]
    phases: Mapped[dict[str, Any]] = mapped_column(_Json)
    config: Mapped[dict[str, Any]] = mapped_column(_Json)
    metrics: Mapped[dict[str, Any] | None] = mapped_column(_Json)
    refinement: Mapped[dict[str, Any] | None] = mapped_column(_Json)
    sampling: Mapped[dict[str, Any] | None] = mapped_column(_Json)


class HoldoutLook(Identified, Base):
    """A test of a version on held-out cases. `digest` identifies the set of cases by their
    contents; `number` counts the looks at it in the project, and `alpha` is what this one spent.
    Rows outlive their experiment: deleting it gives nothing back. `iteration_id` is the iteration
    that caused the test.
    """

    __tablename__ = "holdout_looks"
    __table_args__ = (
        UniqueConstraint("project_id", "digest", "number"),
        UniqueConstraint("iteration_id"),
        CheckConstraint("number >= 1", name="number_positive"),
    )

    project_id: Mapped[UUID] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    experiment_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("experiments.id", ondelete="SET NULL"), index=True
    )
    iteration_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("iterations.id", ondelete="SET NULL")
    )
    version_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("prompt_versions.id", ondelete="SET NULL"), index=True
    )
    digest: Mapped[str] = mapped_column(String(64))
    number: Mapped[int]
    alpha: Mapped[float]
    created_at: Mapped[datetime]


class Suggestion(Identified, Base):
    """A proposed change of the prompt. `parts` holds the parts that it changes, each whole: `text`,
    `system`, `few_shots`; `diff` is of these.

    `origin` is `refiner`, `rubric` or `person`. A suggestion without experiment and iteration comes
    from an optimization, which refers to it. `targets` holds `{"key", "name", "mean"}` of the
    criteria it should improve, `exemplars` the weak answers it is based on, `violations` the
    guardrails it violates. `version_id` is the version created from it. `trial` is its result on
    the training cases. `created_at` is when it was offered, the best of an iteration first.
    """

    __tablename__ = "suggestions"
    __table_args__ = (
        UniqueConstraint("iteration_id", "number"),
        Index(None, "project_id", "state", "created_at"),
        CheckConstraint(_one_of("state", SuggestionState), name="state"),
        CheckConstraint("origin IN ('refiner', 'rubric', 'person')", name="origin"),
    )

    project_id: Mapped[UUID] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    experiment_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("experiments.id", ondelete="CASCADE"), index=True
    )
    iteration_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("iterations.id", ondelete="CASCADE")
    )
    number: Mapped[int] = mapped_column(SmallInteger)
    origin: Mapped[str] = mapped_column(String(10))
    state: Mapped[str] = mapped_column(String(20))
    base_version_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("prompt_versions.id", ondelete="SET NULL"), index=True
    )
    version_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("prompt_versions.id", ondelete="SET NULL"), index=True
    )
    author_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("users.id", ondelete="SET NULL"), index=True
    )
    is_repaired: Mapped[bool] = mapped_column(default=False)
    text_name: Mapped[str | None] = mapped_column(String(40))
    created_at: Mapped[datetime]
    decided_at: Mapped[datetime | None]
    decided_by_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("users.id", ondelete="SET NULL"), index=True
    )
    reason: Mapped[str | None] = mapped_column(Text)
    note: Mapped[str] = mapped_column(Text)
    diff: Mapped[str] = mapped_column(Text)
    parts: Mapped[dict[str, Any]] = mapped_column(_Json)
    targets: Mapped[list[dict[str, Any]]] = mapped_column(_Json)
    exemplars: Mapped[list[dict[str, Any]]] = mapped_column(_Json)
    violations: Mapped[list[dict[str, Any]]] = mapped_column(_Json)
    trial: Mapped[dict[str, Any] | None] = mapped_column(_Json)
