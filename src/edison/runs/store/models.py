"""Tables of runs: variants x cases x repeats, and their results.

A run's variants, cases and scorers are a snapshot, written when the run is created. An output's row
exists only for a finished cell, so missing rows are the remaining work.
"""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    JSON,
    BigInteger,
    CheckConstraint,
    Float,
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
from edison.db.membership import is_either
from edison.library.datasets.models import TagList
from edison.runs.store.states import RunState

# Unlike JSONB, JSON keeps the order of keys and the notation of numbers.
_Json = JSON(none_as_null=True)


class TallyColumns:
    """Sums over cells, updated in the transaction that stores the cells.

    `cost_nanos` is the known cost of answers and judges; for a run it is the sum of its ledger
    entries, which includes calls whose cell was never stored. `unpriced_count` counts cells without
    a known price.
    """

    done_count: Mapped[int] = mapped_column(default=0)
    error_count: Mapped[int] = mapped_column(default=0)
    malformed_count: Mapped[int] = mapped_column(default=0)
    cached_count: Mapped[int] = mapped_column(default=0)
    unpriced_count: Mapped[int] = mapped_column(default=0)
    # Existing scores; complete at cells x scorers.
    score_count: Mapped[int] = mapped_column(default=0)
    cost_nanos: Mapped[int] = mapped_column(BigInteger, default=0)
    input_tokens: Mapped[int] = mapped_column(BigInteger, default=0)
    output_tokens: Mapped[int] = mapped_column(BigInteger, default=0)


EMPTY_TALLY = {
    "done_count": 0,
    "error_count": 0,
    "malformed_count": 0,
    "cached_count": 0,
    "unpriced_count": 0,
    "score_count": 0,
    "cost_nanos": 0,
    "input_tokens": 0,
    "output_tokens": 0,
}


class Run(Identified, TallyColumns, Base):
    """`last_number` is the highest number given to an output, score or change; allocating one locks
    this row, so numbers become visible in order. `lock_name` names a resource that allows one
    active run, such as an experiment; `lock_key` equals it while the run is active and is None
    afterwards. `phases` says when it entered each state.
    """

    __tablename__ = "runs"
    __table_args__ = (
        UniqueConstraint("lock_key"),
        Index(None, "project_id", "created_at", "id"),
        Index(None, "state"),
        CheckConstraint(f"state IN {tuple(map(str, RunState))}", name="state"),
        CheckConstraint("repeats >= 1", name="repeats_positive"),
    )

    project_id: Mapped[UUID] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    name: Mapped[str] = mapped_column(String(200))
    # The feature that started the run, such as `playground` or `api`, and the job priority.
    origin: Mapped[str] = mapped_column(String(20))
    priority: Mapped[int] = mapped_column(SmallInteger)
    state: Mapped[str] = mapped_column(String(20))
    # Why the run is paused or failed: a code and a message.
    reason: Mapped[str | None] = mapped_column(String(40))
    message: Mapped[str | None] = mapped_column(Text)
    lock_name: Mapped[str | None] = mapped_column(String(100))
    lock_key: Mapped[str | None] = mapped_column(String(100))
    author_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("users.id", ondelete="SET NULL"), index=True
    )
    dataset_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("datasets.id", ondelete="SET NULL"), index=True
    )
    dataset_name: Mapped[str | None] = mapped_column(String(100))
    # Budget scopes besides the project, such as an experiment.
    scope_ids: Mapped[list[str]] = mapped_column(_Json)
    repeats: Mapped[int]
    case_count: Mapped[int]
    variant_count: Mapped[int]
    scorer_count: Mapped[int]
    cell_count: Mapped[int]
    # Pairs of answers to compare, and pairs compared. Their cost counts for the run only.
    comparison_total: Mapped[int] = mapped_column(default=0)
    comparison_count: Mapped[int] = mapped_column(default=0)
    # The part of `cost_nanos` charged for calls lost in a crash and not yet confirmed.
    unconfirmed_nanos: Mapped[int] = mapped_column(BigInteger, default=0)
    chunk_size: Mapped[int]
    cache_mode: Mapped[str] = mapped_column(String(10))
    # Maximum age of cached answers; None means until eviction.
    keep_seconds: Mapped[int | None]
    # What is redacted from answers before storage, as in the request; None means nothing.
    redaction: Mapped[dict[str, Any] | None] = mapped_column(_Json)
    failed_count_zero: Mapped[bool] = mapped_column(default=False)
    is_kept: Mapped[bool] = mapped_column(default=False)
    archived_at: Mapped[datetime | None]
    # The run whose answers are read instead of calling models; the run that this one repeats.
    replay_of_id: Mapped[UUID | None] = mapped_column(Uuid())
    parent_id: Mapped[UUID | None] = mapped_column(Uuid())
    code_version: Mapped[str] = mapped_column(String(40))
    last_number: Mapped[int] = mapped_column(BigInteger, default=0)
    created_at: Mapped[datetime]
    started_at: Mapped[datetime | None]
    ended_at: Mapped[datetime | None]
    # Start of the current working period, and the seconds worked before it.
    active_since: Mapped[datetime | None]
    active_seconds: Mapped[float] = mapped_column(default=0)
    phases: Mapped[dict[str, Any]] = mapped_column(_Json)
    estimate: Mapped[dict[str, Any] | None] = mapped_column(_Json)
    summary: Mapped[dict[str, Any] | None] = mapped_column(_Json)


class RunVariant(Identified, TallyColumns, Base):
    """A column of the run: prompt version x model x parameters. Names are as of the run's creation.

    `halted` is why the remaining cells fail without a call, such as a refused key. `waiting` is why
    calls are currently queued, for display; updated at intervals.
    """

    __tablename__ = "run_variants"
    __table_args__ = (UniqueConstraint("run_id", "position"),)

    run_id: Mapped[UUID] = mapped_column(ForeignKey("runs.id", ondelete="CASCADE"))
    position: Mapped[int]
    label: Mapped[str] = mapped_column(String(200))
    prompt_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("prompts.id", ondelete="SET NULL"), index=True
    )
    version_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("prompt_versions.id", ondelete="SET NULL"), index=True
    )
    prompt_name: Mapped[str] = mapped_column(String(100))
    version_label: Mapped[str] = mapped_column(String(20))
    model_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("models.id", ondelete="SET NULL"), index=True
    )
    fallback_model_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("models.id", ondelete="SET NULL"), index=True
    )
    model_name: Mapped[str] = mapped_column(String(100))
    provider: Mapped[str] = mapped_column(String(40))
    is_simulated: Mapped[bool]
    parameters: Mapped[dict[str, Any]] = mapped_column(_Json)
    # Copy of the prompt version: the run stays readable when the prompt is deleted.
    template: Mapped[dict[str, Any]] = mapped_column(_Json)
    halted: Mapped[dict[str, Any] | None] = mapped_column(_Json)
    waiting: Mapped[dict[str, Any] | None] = mapped_column(_Json)
    summary: Mapped[dict[str, Any] | None] = mapped_column(_Json)


class RunScorer(Identified, Base):
    """A scorer as configured when the run was created; `kind` is the plug-in's file name.
    `scorer_version_id` is the saved scorer's version it came from.
    """

    __tablename__ = "run_scorers"
    __table_args__ = (UniqueConstraint("run_id", "position"),)

    run_id: Mapped[UUID] = mapped_column(ForeignKey("runs.id", ondelete="CASCADE"))
    position: Mapped[int]
    kind: Mapped[str] = mapped_column(String(40))
    label: Mapped[str] = mapped_column(String(100))
    weight: Mapped[float]
    threshold: Mapped[float | None]
    is_negated: Mapped[bool] = mapped_column(default=False)
    scorer_version_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("scorer_versions.id", ondelete="SET NULL"), index=True
    )
    options: Mapped[dict[str, Any]] = mapped_column(_Json)


class RunComparer(Identified, Base):
    """A comparer as configured when the run was created. With a baseline, every other variant is
    compared with it; without, all pairs are compared.
    """

    __tablename__ = "run_comparers"
    __table_args__ = (UniqueConstraint("run_id", "position"),)

    run_id: Mapped[UUID] = mapped_column(ForeignKey("runs.id", ondelete="CASCADE"))
    position: Mapped[int]
    kind: Mapped[str] = mapped_column(String(40))
    label: Mapped[str] = mapped_column(String(100))
    baseline: Mapped[int | None] = mapped_column(SmallInteger)
    options: Mapped[dict[str, Any]] = mapped_column(_Json)


class RunCase(Base):
    """A test case as it was when the run was created, with its own assertions if it has any."""

    __tablename__ = "run_cases"

    run_id: Mapped[UUID] = mapped_column(
        ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True
    )
    position: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    # None for inputs given with the run. No foreign key: the case may be deleted.
    case_id: Mapped[UUID | None] = mapped_column(Uuid())
    case_version: Mapped[int | None]
    split: Mapped[str | None] = mapped_column(String(10))
    difficulty: Mapped[int | None] = mapped_column(SmallInteger)
    tags: Mapped[list[str]] = mapped_column(TagList)
    expected: Mapped[str | None] = mapped_column(Text)
    inputs: Mapped[dict[str, Any]] = mapped_column(_Json)
    assertions: Mapped[dict[str, Any] | None] = mapped_column(_Json)


class RunChunk(Base):
    """A range of whole cases, filled by one process at a time. `process_id` is that process."""

    __tablename__ = "run_chunks"
    __table_args__ = (
        Index(None, "process_id"),
        CheckConstraint("first_position < end_position", name="is_not_empty"),
    )

    run_id: Mapped[UUID] = mapped_column(
        ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True
    )
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    first_position: Mapped[int]
    end_position: Mapped[int]
    is_done: Mapped[bool] = mapped_column(default=False)
    process_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("worker_processes.id", ondelete="SET NULL")
    )


class SentPrompt(Base):
    """A prompt as sent to a model, stored once per project and digest."""

    __tablename__ = "sent_prompts"

    project_id: Mapped[UUID] = mapped_column(
        ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True
    )
    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    # ASCII JSON in a text column: PostgreSQL's JSON type rejects some characters.
    content: Mapped[str] = mapped_column(Text)


class Output(Identified, Base):
    """A finished cell. Written once; a retry sets `is_wanted_again` and replaces it.

    `text` is the raw answer, `parsed` the part extracted from it. `cost_nanos` covers all attempts
    and is None without a known price. `completion` holds the rest of the provider's answer or the
    words of its failure, and the label of the credential.
    """

    __tablename__ = "outputs"
    __table_args__ = (
        UniqueConstraint("run_id", "case_position", "variant_position", "repeat"),
        Index(None, "run_id", "number"),
        CheckConstraint(is_either("status", ("ok", "error", "malformed")), name="status"),
    )

    run_id: Mapped[UUID] = mapped_column(ForeignKey("runs.id", ondelete="CASCADE"))
    case_position: Mapped[int]
    variant_position: Mapped[int] = mapped_column(SmallInteger)
    repeat: Mapped[int] = mapped_column(SmallInteger)
    number: Mapped[int] = mapped_column(BigInteger)
    is_wanted_again: Mapped[bool] = mapped_column(default=False)
    status: Mapped[str] = mapped_column(String(10))
    # A `FailureReason` of the pipeline, or the defect of a malformed answer.
    error: Mapped[str | None] = mapped_column(String(40))
    is_cached: Mapped[bool]
    is_fallback: Mapped[bool]
    attempts: Mapped[int] = mapped_column(SmallInteger)
    cost_nanos: Mapped[int | None] = mapped_column(BigInteger)
    input_tokens: Mapped[int | None]
    output_tokens: Mapped[int | None]
    cached_input_tokens: Mapped[int | None]
    reasoning_tokens: Mapped[int | None]
    latency_seconds: Mapped[float | None] = mapped_column(Float)
    first_token_seconds: Mapped[float | None] = mapped_column(Float)
    waited_seconds: Mapped[float] = mapped_column(Float)
    finish_reason: Mapped[str | None] = mapped_column(String(20))
    # The model name returned by the provider; may be more specific than the requested one.
    model: Mapped[str | None] = mapped_column(String(300))
    request_id: Mapped[str | None] = mapped_column(String(200))
    price_version: Mapped[str | None] = mapped_column(String(60))
    prompt_digest: Mapped[str] = mapped_column(String(64))
    cache_key: Mapped[str] = mapped_column(String(64))
    created_at: Mapped[datetime]
    message: Mapped[str | None] = mapped_column(Text)
    text: Mapped[str | None] = mapped_column(Text)
    parsed: Mapped[str | None] = mapped_column(Text)
    # The mean of this answer's human scores, maintained by `runs/scoring`.
    human_value: Mapped[float | None] = mapped_column(Float)
    completion: Mapped[dict[str, Any] | None] = mapped_column(_Json)


class Score(Identified, Base):
    """The result of one scorer for one output. `value` is in 0..1, None if not applicable.

    `criteria` holds `{name: {"value", "raw", "rationale"}}` for scorers with several criteria.
    `judges` holds one entry per judge of a panel: `{label: {"model_id", "value", "flag", "problem",
    "raw", "criteria"}}`, with criteria as above; the label is the model's id, with the suffix `#2`
    and so on for a repeated model. `judge_text` names the judge prompt with its version. `answers`
    are the judges' answers by the digest of the question, for a replay.
    """

    __tablename__ = "scores"
    __table_args__ = (
        UniqueConstraint("output_id", "scorer_position"),
        Index(None, "run_id", "number"),
        CheckConstraint("value BETWEEN 0 AND 1", name="value_is_a_share"),
    )

    run_id: Mapped[UUID] = mapped_column(ForeignKey("runs.id", ondelete="CASCADE"))
    output_id: Mapped[UUID] = mapped_column(ForeignKey("outputs.id", ondelete="CASCADE"))
    scorer_position: Mapped[int] = mapped_column(SmallInteger)
    number: Mapped[int] = mapped_column(BigInteger)
    value: Mapped[float | None] = mapped_column(Float)
    is_passed: Mapped[bool | None]
    # A caveat about the score, such as `judge_unreadable`.
    flag: Mapped[str | None] = mapped_column(String(40))
    cost_nanos: Mapped[int | None] = mapped_column(BigInteger)
    created_at: Mapped[datetime]
    rationale: Mapped[str | None] = mapped_column(Text)
    raw: Mapped[str | None] = mapped_column(Text)
    criteria: Mapped[dict[str, Any] | None] = mapped_column(_Json)
    judges: Mapped[dict[str, Any] | None] = mapped_column(_Json)
    judge_text: Mapped[str | None] = mapped_column(String(150))
    answers: Mapped[dict[str, Any] | None] = mapped_column(_Json)


class Comparison(Identified, Base):
    """The result of one comparer for the answers of two variants to one case: `preference` is `a`,
    `b` or `tie`, None if undecided. `a` is always the variant with the lower position.

    `verdict_ab` is the verdict with a shown first, `verdict_ba` with b shown first, both in terms
    of a and b; None if no judge was called or its answer was unreadable. `orders` holds both with
    their reasons. `answers` as for scores.
    """

    __tablename__ = "comparisons"
    __table_args__ = (
        # The generated name would exceed PostgreSQL's limit.
        UniqueConstraint(
            "run_id",
            "case_position",
            "repeat",
            "variant_a",
            "variant_b",
            "comparer_position",
            name="uq_comparisons_pair",
        ),
        Index(None, "run_id", "number"),
        Index(None, "output_a_id"),
        Index(None, "output_b_id"),
        CheckConstraint("preference IN ('a', 'b', 'tie')", name="preference"),
    )

    run_id: Mapped[UUID] = mapped_column(ForeignKey("runs.id", ondelete="CASCADE"))
    comparer_position: Mapped[int] = mapped_column(SmallInteger)
    case_position: Mapped[int]
    repeat: Mapped[int] = mapped_column(SmallInteger)
    variant_a: Mapped[int] = mapped_column(SmallInteger)
    variant_b: Mapped[int] = mapped_column(SmallInteger)
    output_a_id: Mapped[UUID] = mapped_column(ForeignKey("outputs.id", ondelete="CASCADE"))
    output_b_id: Mapped[UUID] = mapped_column(ForeignKey("outputs.id", ondelete="CASCADE"))
    number: Mapped[int] = mapped_column(BigInteger)
    preference: Mapped[str | None] = mapped_column(String(3))
    verdict_ab: Mapped[str | None] = mapped_column(String(3))
    verdict_ba: Mapped[str | None] = mapped_column(String(3))
    # A caveat about the comparison, such as `orders_disagree`.
    flag: Mapped[str | None] = mapped_column(String(40))
    judge_text: Mapped[str | None] = mapped_column(String(150))
    cost_nanos: Mapped[int | None] = mapped_column(BigInteger)
    created_at: Mapped[datetime]
    rationale: Mapped[str | None] = mapped_column(Text)
    orders: Mapped[list[Any]] = mapped_column(_Json)
    answers: Mapped[dict[str, Any] | None] = mapped_column(_Json)
