"""Runs with their outputs and scores, the processes that work on them, and jobs nobody can do."""

import sqlalchemy as sa
from alembic import op

from edison.db.base import JsonColumn, UtcDateTime

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.create_table(
        "dead_jobs",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("key", sa.String(length=200), nullable=False),
        sa.Column("task", sa.String(length=60), nullable=False),
        sa.Column("project_id", sa.Uuid(), nullable=True),
        sa.Column("priority", sa.Integer(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("failed_at", UtcDateTime(), nullable=False),
        sa.Column("payload", JsonColumn, nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"],
            ["projects.id"],
            name=op.f("fk_dead_jobs_project_id_projects"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_dead_jobs")),
        sa.UniqueConstraint("key", name=op.f("uq_dead_jobs_key")),
    )
    with op.batch_alter_table("dead_jobs", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_dead_jobs_project_id_failed_at"),
            ["project_id", "failed_at"],
            unique=False,
        )

    op.create_table(
        "worker_processes",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("host", sa.String(length=200), nullable=False),
        sa.Column("pid", sa.Integer(), nullable=False),
        sa.Column("version", sa.String(length=40), nullable=False),
        sa.Column("beat", sa.BigInteger(), nullable=False),
        sa.Column("started_at", UtcDateTime(), nullable=False),
        sa.Column("seen_at", UtcDateTime(), nullable=False),
        sa.CheckConstraint(
            "kind IN ('server', 'worker', 'command')", name=op.f("ck_worker_processes_kind")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_worker_processes")),
    )
    op.create_table(
        "sent_prompts",
        sa.Column("project_id", sa.Uuid(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"],
            ["projects.id"],
            name=op.f("fk_sent_prompts_project_id_projects"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("project_id", "digest", name=op.f("pk_sent_prompts")),
    )
    op.create_table(
        "lane_shares",
        sa.Column("credential_id", sa.Uuid(), nullable=False),
        sa.Column("process_id", sa.Uuid(), nullable=False),
        sa.Column("slots", sa.Integer(), nullable=False),
        sa.Column("wanted", sa.Integer(), nullable=False),
        sa.Column("turn", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["credential_id"],
            ["credentials.id"],
            name=op.f("fk_lane_shares_credential_id_credentials"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["process_id"],
            ["worker_processes.id"],
            name=op.f("fk_lane_shares_process_id_worker_processes"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("credential_id", "process_id", name=op.f("pk_lane_shares")),
    )
    with op.batch_alter_table("lane_shares", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_lane_shares_process_id"), ["process_id"], unique=False)

    op.create_table(
        "runs",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("project_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("origin", sa.String(length=20), nullable=False),
        sa.Column("priority", sa.SmallInteger(), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("reason", sa.String(length=40), nullable=True),
        sa.Column("message", sa.Text(), nullable=True),
        sa.Column("lock_name", sa.String(length=100), nullable=True),
        sa.Column("lock_key", sa.String(length=100), nullable=True),
        sa.Column("author_id", sa.Uuid(), nullable=True),
        sa.Column("dataset_id", sa.Uuid(), nullable=True),
        sa.Column("dataset_name", sa.String(length=100), nullable=True),
        sa.Column("scope_ids", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("repeats", sa.Integer(), nullable=False),
        sa.Column("case_count", sa.Integer(), nullable=False),
        sa.Column("variant_count", sa.Integer(), nullable=False),
        sa.Column("scorer_count", sa.Integer(), nullable=False),
        sa.Column("cell_count", sa.Integer(), nullable=False),
        sa.Column("chunk_size", sa.Integer(), nullable=False),
        sa.Column("cache_mode", sa.String(length=10), nullable=False),
        sa.Column("keep_seconds", sa.Integer(), nullable=True),
        sa.Column("replay_of_id", sa.Uuid(), nullable=True),
        sa.Column("parent_id", sa.Uuid(), nullable=True),
        sa.Column("code_version", sa.String(length=40), nullable=False),
        sa.Column("last_number", sa.BigInteger(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("started_at", UtcDateTime(), nullable=True),
        sa.Column("ended_at", UtcDateTime(), nullable=True),
        sa.Column("active_since", UtcDateTime(), nullable=True),
        sa.Column("active_seconds", sa.Double(), nullable=False),
        sa.Column("phases", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("estimate", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("summary", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("done_count", sa.Integer(), nullable=False),
        sa.Column("error_count", sa.Integer(), nullable=False),
        sa.Column("malformed_count", sa.Integer(), nullable=False),
        sa.Column("cached_count", sa.Integer(), nullable=False),
        sa.Column("unpriced_count", sa.Integer(), nullable=False),
        sa.Column("score_count", sa.Integer(), nullable=False),
        sa.Column("cost_nanos", sa.BigInteger(), nullable=False),
        sa.Column("input_tokens", sa.BigInteger(), nullable=False),
        sa.Column("output_tokens", sa.BigInteger(), nullable=False),
        sa.CheckConstraint(
            "state IN ('pending', 'executing', 'scoring', 'aggregating', 'completed', 'paused', "
            "'cancelled', 'failed')",
            name=op.f("ck_runs_state"),
        ),
        sa.CheckConstraint("repeats >= 1", name=op.f("ck_runs_repeats_positive")),
        sa.ForeignKeyConstraint(
            ["author_id"], ["users.id"], name=op.f("fk_runs_author_id_users"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["dataset_id"],
            ["datasets.id"],
            name=op.f("fk_runs_dataset_id_datasets"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["project_id"],
            ["projects.id"],
            name=op.f("fk_runs_project_id_projects"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_runs")),
        sa.UniqueConstraint("lock_key", name=op.f("uq_runs_lock_key")),
    )
    with op.batch_alter_table("runs", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_runs_author_id"), ["author_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_runs_dataset_id"), ["dataset_id"], unique=False)
        batch_op.create_index(
            batch_op.f("ix_runs_project_id_created_at_id"),
            ["project_id", "created_at", "id"],
            unique=False,
        )
        batch_op.create_index(batch_op.f("ix_runs_state"), ["state"], unique=False)

    op.create_table(
        "outputs",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("run_id", sa.Uuid(), nullable=False),
        sa.Column("case_position", sa.Integer(), nullable=False),
        sa.Column("variant_position", sa.SmallInteger(), nullable=False),
        sa.Column("repeat", sa.SmallInteger(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("is_wanted_again", sa.Boolean(), nullable=False),
        sa.Column("status", sa.String(length=10), nullable=False),
        sa.Column("error", sa.String(length=40), nullable=True),
        sa.Column("is_cached", sa.Boolean(), nullable=False),
        sa.Column("is_fallback", sa.Boolean(), nullable=False),
        sa.Column("attempts", sa.SmallInteger(), nullable=False),
        sa.Column("cost_nanos", sa.BigInteger(), nullable=True),
        sa.Column("input_tokens", sa.Integer(), nullable=True),
        sa.Column("output_tokens", sa.Integer(), nullable=True),
        sa.Column("cached_input_tokens", sa.Integer(), nullable=True),
        sa.Column("reasoning_tokens", sa.Integer(), nullable=True),
        sa.Column("latency_seconds", sa.Float(), nullable=True),
        sa.Column("first_token_seconds", sa.Float(), nullable=True),
        sa.Column("waited_seconds", sa.Float(), nullable=False),
        sa.Column("finish_reason", sa.String(length=20), nullable=True),
        sa.Column("model", sa.String(length=300), nullable=True),
        sa.Column("request_id", sa.String(length=200), nullable=True),
        sa.Column("price_version", sa.String(length=60), nullable=True),
        sa.Column("prompt_digest", sa.String(length=64), nullable=False),
        sa.Column("cache_key", sa.String(length=64), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("message", sa.Text(), nullable=True),
        sa.Column("text", sa.Text(), nullable=True),
        sa.Column("parsed", sa.Text(), nullable=True),
        sa.Column("completion", sa.JSON(none_as_null=True), nullable=True),
        sa.CheckConstraint(
            "status IN ('ok', 'error', 'malformed')", name=op.f("ck_outputs_status")
        ),
        sa.ForeignKeyConstraint(
            ["run_id"], ["runs.id"], name=op.f("fk_outputs_run_id_runs"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outputs")),
        sa.UniqueConstraint(
            "run_id",
            "case_position",
            "variant_position",
            "repeat",
            name=op.f("uq_outputs_run_id_case_position_variant_position_repeat"),
        ),
    )
    with op.batch_alter_table("outputs", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_outputs_run_id_number"), ["run_id", "number"], unique=False
        )

    op.create_table(
        "run_cases",
        sa.Column("run_id", sa.Uuid(), nullable=False),
        sa.Column("position", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("case_id", sa.Uuid(), nullable=True),
        sa.Column("case_version", sa.Integer(), nullable=True),
        sa.Column("split", sa.String(length=10), nullable=True),
        sa.Column("difficulty", sa.SmallInteger(), nullable=True),
        sa.Column("tags", sa.Text(), nullable=False),
        sa.Column("expected", sa.Text(), nullable=True),
        sa.Column("inputs", sa.JSON(none_as_null=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["run_id"], ["runs.id"], name=op.f("fk_run_cases_run_id_runs"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("run_id", "position", name=op.f("pk_run_cases")),
    )
    op.create_table(
        "run_chunks",
        sa.Column("run_id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("first_position", sa.Integer(), nullable=False),
        sa.Column("end_position", sa.Integer(), nullable=False),
        sa.Column("is_done", sa.Boolean(), nullable=False),
        sa.Column("process_id", sa.Uuid(), nullable=True),
        sa.CheckConstraint(
            "first_position < end_position", name=op.f("ck_run_chunks_is_not_empty")
        ),
        sa.ForeignKeyConstraint(
            ["process_id"],
            ["worker_processes.id"],
            name=op.f("fk_run_chunks_process_id_worker_processes"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["run_id"], ["runs.id"], name=op.f("fk_run_chunks_run_id_runs"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("run_id", "number", name=op.f("pk_run_chunks")),
    )
    with op.batch_alter_table("run_chunks", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_run_chunks_process_id"), ["process_id"], unique=False)

    op.create_table(
        "run_scorers",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("run_id", sa.Uuid(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("label", sa.String(length=100), nullable=False),
        sa.Column("weight", sa.Double(), nullable=False),
        sa.Column("threshold", sa.Double(), nullable=True),
        sa.Column("is_negated", sa.Boolean(), nullable=False),
        sa.Column("options", sa.JSON(none_as_null=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["run_id"], ["runs.id"], name=op.f("fk_run_scorers_run_id_runs"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_run_scorers")),
        sa.UniqueConstraint("run_id", "position", name=op.f("uq_run_scorers_run_id_position")),
    )
    op.create_table(
        "run_variants",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("run_id", sa.Uuid(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("label", sa.String(length=200), nullable=False),
        sa.Column("prompt_id", sa.Uuid(), nullable=True),
        sa.Column("version_id", sa.Uuid(), nullable=True),
        sa.Column("prompt_name", sa.String(length=100), nullable=False),
        sa.Column("version_label", sa.String(length=20), nullable=False),
        sa.Column("model_id", sa.Uuid(), nullable=True),
        sa.Column("fallback_model_id", sa.Uuid(), nullable=True),
        sa.Column("model_name", sa.String(length=100), nullable=False),
        sa.Column("provider", sa.String(length=40), nullable=False),
        sa.Column("is_simulated", sa.Boolean(), nullable=False),
        sa.Column("parameters", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("template", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("halted", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("waiting", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("summary", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("done_count", sa.Integer(), nullable=False),
        sa.Column("error_count", sa.Integer(), nullable=False),
        sa.Column("malformed_count", sa.Integer(), nullable=False),
        sa.Column("cached_count", sa.Integer(), nullable=False),
        sa.Column("unpriced_count", sa.Integer(), nullable=False),
        sa.Column("score_count", sa.Integer(), nullable=False),
        sa.Column("cost_nanos", sa.BigInteger(), nullable=False),
        sa.Column("input_tokens", sa.BigInteger(), nullable=False),
        sa.Column("output_tokens", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["fallback_model_id"],
            ["models.id"],
            name=op.f("fk_run_variants_fallback_model_id_models"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["model_id"],
            ["models.id"],
            name=op.f("fk_run_variants_model_id_models"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["prompt_id"],
            ["prompts.id"],
            name=op.f("fk_run_variants_prompt_id_prompts"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["run_id"], ["runs.id"], name=op.f("fk_run_variants_run_id_runs"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["version_id"],
            ["prompt_versions.id"],
            name=op.f("fk_run_variants_version_id_prompt_versions"),
            ondelete="SET NULL",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_run_variants")),
        sa.UniqueConstraint("run_id", "position", name=op.f("uq_run_variants_run_id_position")),
    )
    with op.batch_alter_table("run_variants", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_run_variants_fallback_model_id"), ["fallback_model_id"], unique=False
        )
        batch_op.create_index(batch_op.f("ix_run_variants_model_id"), ["model_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_run_variants_prompt_id"), ["prompt_id"], unique=False)
        batch_op.create_index(
            batch_op.f("ix_run_variants_version_id"), ["version_id"], unique=False
        )

    op.create_table(
        "scores",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("run_id", sa.Uuid(), nullable=False),
        sa.Column("output_id", sa.Uuid(), nullable=False),
        sa.Column("scorer_position", sa.SmallInteger(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("value", sa.Float(), nullable=True),
        sa.Column("is_passed", sa.Boolean(), nullable=True),
        sa.Column("flag", sa.String(length=40), nullable=True),
        sa.Column("cost_nanos", sa.BigInteger(), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("rationale", sa.Text(), nullable=True),
        sa.Column("raw", sa.Text(), nullable=True),
        sa.Column("criteria", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("answers", sa.JSON(none_as_null=True), nullable=True),
        sa.CheckConstraint("value BETWEEN 0 AND 1", name=op.f("ck_scores_value_is_a_share")),
        sa.ForeignKeyConstraint(
            ["output_id"],
            ["outputs.id"],
            name=op.f("fk_scores_output_id_outputs"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["run_id"], ["runs.id"], name=op.f("fk_scores_run_id_runs"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_scores")),
        sa.UniqueConstraint(
            "output_id", "scorer_position", name=op.f("uq_scores_output_id_scorer_position")
        ),
    )
    with op.batch_alter_table("scores", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_scores_run_id_number"), ["run_id", "number"], unique=False
        )

    with op.batch_alter_table("ledger_entries", schema=None) as batch_op:
        batch_op.add_column(sa.Column("run_id", sa.Uuid(), nullable=True))
        batch_op.add_column(sa.Column("process_id", sa.Uuid(), nullable=True))
        batch_op.create_index(
            batch_op.f("ix_ledger_entries_process_id_state"), ["process_id", "state"], unique=False
        )
        batch_op.create_index(
            batch_op.f("ix_ledger_entries_run_id_created_at"),
            ["run_id", "created_at"],
            unique=False,
        )
