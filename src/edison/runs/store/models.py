"""Runs: variants x cases x repeats, and what came of them.

Rows are the truth. A run's variants, cases and scorers are frozen when it is made. An output's row
exists only once its cell is finished, so whatever is missing is what is left to do.
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
from edison.library.datasets.models import TagList
from edison.runs.store.states import RunState

# Unlike JSONB, it keeps the order of variables and numbers as they were written.
_Json = JSON(none_as_null=True)
_STATES = ", ".join(f"'{state}'" for state in RunState)


class Tally:
    """Sums over cells, kept by whoever stores the cells, in the same transaction.

    `cost_nanos` is what answers and judges cost that are known to have cost something; of a run it
    is kept by the ledger, and covers calls whose cell was never stored. `unpriced` counts cells for
    which no price was known.
    """

    done_count: Mapped[int] = mapped_column(default=0)
    error_count: Mapped[int] = mapped_column(default=0)
    malformed_count: Mapped[int] = mapped_column(default=0)
    cached_count: Mapped[int] = mapped_column(default=0)
    unpriced_count: Mapped[int] = mapped_column(default=0)
    # Scores that exist, out of cells x scorers.
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


class Run(Identified, Tally, Base):
    """`last_number` is the newest number given to an output or score; taking one locks this row, so
    numbers become visible in order. `lock_name` names what may have one active run only, such as an
    experiment; `lock_key` is the same while the run is active, and None once it is over.
    """

    __tablename__ = "runs"
    __table_args__ = (
        UniqueConstraint("lock_key"),
        Index(None, "project_id", "created_at", "id"),
        Index(None, "state"),
        CheckConstraint(f"state IN ({_STATES})", name="state"),
        CheckConstraint("repeats >= 1", name="repeats_positive"),
    )

    project_id: Mapped[UUID] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    name: Mapped[str] = mapped_column(String(200))
    # Who asked for it, such as `playground` or `api`, and with which priority it is worked on.
    origin: Mapped[str] = mapped_column(String(20))
    priority: Mapped[int] = mapped_column(SmallInteger)
    state: Mapped[str] = mapped_column(String(20))
    # Why it is paused or failed: a word for programs and a sentence for people.
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
    # What else than the project may have a budget, such as an experiment.
    scope_ids: Mapped[list[str]] = mapped_column(_Json)
    repeats: Mapped[int]
    case_count: Mapped[int]
    variant_count: Mapped[int]
    scorer_count: Mapped[int]
    cell_count: Mapped[int]
    # Pairs of answers to compare, and compared. Their cost is in the run's sums only.
    comparison_total: Mapped[int] = mapped_column(default=0)
    comparison_count: Mapped[int] = mapped_column(default=0)
    # The part of `cost_nanos` that calls lost in a crash are charged, until somebody confirms it.
    unconfirmed_nanos: Mapped[int] = mapped_column(BigInteger, default=0)
    chunk_size: Mapped[int]
    cache_mode: Mapped[str] = mapped_column(String(10))
    # How long answers may be given again; None is until they are evicted.
    keep_seconds: Mapped[int | None]
    # What is taken out of answers before they are stored, as a request says it; None is nothing.
    redaction: Mapped[dict[str, Any] | None] = mapped_column(_Json)
    failed_count_zero: Mapped[bool] = mapped_column(default=False)
    # Recompute from this run's stored answers instead of asking anybody.
    replay_of_id: Mapped[UUID | None] = mapped_column(Uuid())
    # The run this one repeats or was made again from.
    parent_id: Mapped[UUID | None] = mapped_column(Uuid())
    code_version: Mapped[str] = mapped_column(String(40))
    last_number: Mapped[int] = mapped_column(BigInteger, default=0)
    created_at: Mapped[datetime]
    started_at: Mapped[datetime | None]
    ended_at: Mapped[datetime | None]
    # Since when it is at work without a pause, and for how long it was before.
    active_since: Mapped[datetime | None]
    active_seconds: Mapped[float] = mapped_column(default=0)
    # When answers, scores and aggregates were complete, by state.
    phases: Mapped[dict[str, Any]] = mapped_column(_Json)
    estimate: Mapped[dict[str, Any] | None] = mapped_column(_Json)
    summary: Mapped[dict[str, Any] | None] = mapped_column(_Json)


class RunVariant(Identified, Tally, Base):
    """A column: prompt version x model x parameters. The names are those of the time.

    `halted` says why its remaining cells fail without being asked, such as a refused key.
    `waiting` is why its calls do not leave at the moment, for people; written now and then.
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
    # What the version said, so that a run outlives its prompt.
    template: Mapped[dict[str, Any]] = mapped_column(_Json)
    halted: Mapped[dict[str, Any] | None] = mapped_column(_Json)
    waiting: Mapped[dict[str, Any] | None] = mapped_column(_Json)
    summary: Mapped[dict[str, Any] | None] = mapped_column(_Json)


class RunScorer(Identified, Base):
    """A scorer as it was configured when the run was made; `kind` is the plug-in's file name.
    `scorer_version_id` is the version of a saved scorer that it was taken from.
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
    """A comparer as it was configured when the run was made. With a baseline, the other variants
    are compared with that one only, and otherwise all with each other.
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
    """A row: a case as it was when the run was made."""

    __tablename__ = "run_cases"

    run_id: Mapped[UUID] = mapped_column(
        ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True
    )
    position: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    # None for inputs that were given with the run. No foreign key: the case may go.
    case_id: Mapped[UUID | None] = mapped_column(Uuid())
    case_version: Mapped[int | None]
    split: Mapped[str | None] = mapped_column(String(10))
    difficulty: Mapped[int | None] = mapped_column(SmallInteger)
    tags: Mapped[list[str]] = mapped_column(TagList)
    expected: Mapped[str | None] = mapped_column(Text)
    inputs: Mapped[dict[str, Any]] = mapped_column(_Json)


class RunChunk(Base):
    """A range of whole cases that one process works on at a time. `process_id` is who does."""

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
    """What was sent to a model, once for all outputs that came of it."""

    __tablename__ = "sent_prompts"

    project_id: Mapped[UUID] = mapped_column(
        ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True
    )
    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    # JSON in ASCII, as text: people may write what PostgreSQL's JSON refuses.
    content: Mapped[str] = mapped_column(Text)


class Output(Identified, Base):
    """A finished cell. Written once; written again only when somebody asked for that, which sets
    `is_wanted_again`.

    `text` is the answer as it came, `parsed` what the prompt asked for in it. `cost_nanos` covers
    all attempts and is None when no price was known. `completion` holds what is left of the
    provider's answer, for replaying it.
    """

    __tablename__ = "outputs"
    __table_args__ = (
        UniqueConstraint("run_id", "case_position", "variant_position", "repeat"),
        Index(None, "run_id", "number"),
        CheckConstraint("status IN ('ok', 'error', 'malformed')", name="status"),
    )

    run_id: Mapped[UUID] = mapped_column(ForeignKey("runs.id", ondelete="CASCADE"))
    case_position: Mapped[int]
    variant_position: Mapped[int] = mapped_column(SmallInteger)
    repeat: Mapped[int] = mapped_column(SmallInteger)
    number: Mapped[int] = mapped_column(BigInteger)
    is_wanted_again: Mapped[bool] = mapped_column(default=False)
    status: Mapped[str] = mapped_column(String(10))
    # A reason of the pipeline's `FailureReason`, or what is wrong with a malformed answer.
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
    # The model as the provider named it, which may be more exact than what was asked for.
    model: Mapped[str | None] = mapped_column(String(300))
    request_id: Mapped[str | None] = mapped_column(String(200))
    price_version: Mapped[str | None] = mapped_column(String(60))
    prompt_digest: Mapped[str] = mapped_column(String(64))
    cache_key: Mapped[str] = mapped_column(String(64))
    created_at: Mapped[datetime]
    message: Mapped[str | None] = mapped_column(Text)
    text: Mapped[str | None] = mapped_column(Text)
    parsed: Mapped[str | None] = mapped_column(Text)
    # The mean of what people say about this answer, kept by whoever stores their scores.
    human_value: Mapped[float | None] = mapped_column(Float)
    completion: Mapped[dict[str, Any] | None] = mapped_column(_Json)


class Score(Identified, Base):
    """What one scorer says about one output. `value` is in 0..1, None when it does not apply.

    `criteria` holds `{name: {"value", "raw", "rationale"}}` of scorers with several. `judges` holds
    what each judge of a panel says: `{label: {"model_id", "value", "flag", "problem", "raw",
    "criteria"}}` with criteria as above, where a label is the model's id, with `#2` and so on for
    one that was asked more than once. `judge_text` names the words that judges were told, with
    their version. `answers` are the models' answers behind it, by what was asked, for replaying
    them.
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
    # Why it should be taken with care, such as `judge_unreadable`.
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
    """What one comparer says about the answers of two variants to a case: `preference` is `a`, `b`
    or `tie`, None when it cannot tell. Of every pair, `a` is the variant with the lower position.

    `verdict_ab` is what was said with a shown first, `verdict_ba` with b shown first, both in terms
    of a and b; None when nobody had to be asked, or nothing could be read. `orders` holds both with
    their reasons. `answers` as for scores.
    """

    __tablename__ = "comparisons"
    __table_args__ = (
        # A name that lists all columns would be too long for PostgreSQL.
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
    # Why it should be taken with care, such as `orders_disagree`.
    flag: Mapped[str | None] = mapped_column(String(40))
    judge_text: Mapped[str | None] = mapped_column(String(150))
    cost_nanos: Mapped[int | None] = mapped_column(BigInteger)
    created_at: Mapped[datetime]
    rationale: Mapped[str | None] = mapped_column(Text)
    orders: Mapped[list[Any]] = mapped_column(_Json)
    answers: Mapped[dict[str, Any] | None] = mapped_column(_Json)
