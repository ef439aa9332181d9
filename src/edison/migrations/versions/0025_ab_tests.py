"""A/B tests, and budgets for them."""

import sqlalchemy as sa
from alembic import op

from edison.db.base import UtcDateTime

revision = "0025"
down_revision = "0024"

SCOPES = "scope IN ('project', 'experiment', 'monitor', 'optimizer', 'arena', 'ab_test')"


def upgrade() -> None:
    op.create_table(
        "ab_tests",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("mode", sa.String(length=20), nullable=False),
        sa.Column("author_id", sa.Uuid(), nullable=True),
        sa.Column("dataset_id", sa.Uuid(), nullable=True),
        sa.Column("pairs", sa.Integer(), nullable=False),
        sa.Column("worthwhile", sa.Double(), nullable=False),
        sa.Column("batch_pairs", sa.Integer(), nullable=False),
        sa.Column("seed", sa.Integer(), nullable=False),
        sa.Column("config", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("result", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("answer_count", sa.Integer(), nullable=False),
        sa.Column("reason", sa.String(length=40), nullable=True),
        sa.Column("message", sa.Text(), nullable=True),
        sa.Column("note", sa.Text(), nullable=True),
        sa.Column("stopped_by_id", sa.Uuid(), nullable=True),
        sa.Column("started_at", UtcDateTime(), nullable=True),
        sa.Column("ended_at", UtcDateTime(), nullable=True),
        sa.Column("project_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("archived_at", UtcDateTime(), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
        sa.CheckConstraint("mode IN ('sampled', 'recorded')", name=op.f("ck_ab_tests_mode")),
        sa.CheckConstraint(
            "state IN ('draft', 'running', 'decided', 'complete', 'futile', 'out_of_money', "
            "'stopped', 'failed')",
            name=op.f("ck_ab_tests_state"),
        ),
        sa.ForeignKeyConstraint(
            ["author_id"],
            ["users.id"],
            name=op.f("fk_ab_tests_author_id_users"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["dataset_id"],
            ["datasets.id"],
            name=op.f("fk_ab_tests_dataset_id_datasets"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["project_id"],
            ["projects.id"],
            name=op.f("fk_ab_tests_project_id_projects"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["stopped_by_id"],
            ["users.id"],
            name=op.f("fk_ab_tests_stopped_by_id_users"),
            ondelete="SET NULL",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ab_tests")),
        sa.UniqueConstraint("project_id", "name", name=op.f("uq_ab_tests_project_id_name")),
    )
    with op.batch_alter_table("ab_tests", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_ab_tests_author_id"), ["author_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_ab_tests_dataset_id"), ["dataset_id"], unique=False)
        batch_op.create_index(
            batch_op.f("ix_ab_tests_project_id_updated_at_id"),
            ["project_id", "updated_at", "id"],
            unique=False,
        )
        batch_op.create_index(batch_op.f("ix_ab_tests_state"), ["state"], unique=False)
        batch_op.create_index(
            batch_op.f("ix_ab_tests_stopped_by_id"), ["stopped_by_id"], unique=False
        )

    op.create_table(
        "ab_test_answers",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("test_id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("external_id", sa.String(length=200), nullable=True),
        sa.Column("arm", sa.String(length=10), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("inputs", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("expected", sa.Text(), nullable=True),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("score", sa.Double(), nullable=True),
        sa.Column("scores", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("cost_nanos", sa.BigInteger(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.CheckConstraint("arm IN ('first', 'second')", name=op.f("ck_ab_test_answers_arm")),
        sa.CheckConstraint(
            "state IN ('pending', 'scored', 'unscored')", name=op.f("ck_ab_test_answers_state")
        ),
        sa.CheckConstraint(
            "score BETWEEN 0 AND 1", name=op.f("ck_ab_test_answers_score_is_a_share")
        ),
        sa.ForeignKeyConstraint(
            ["test_id"],
            ["ab_tests.id"],
            name=op.f("fk_ab_test_answers_test_id_ab_tests"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ab_test_answers")),
        sa.UniqueConstraint(
            "test_id", "external_id", name=op.f("uq_ab_test_answers_test_id_external_id")
        ),
        sa.UniqueConstraint("test_id", "number", name=op.f("uq_ab_test_answers_test_id_number")),
    )
    with op.batch_alter_table("ab_test_answers", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_ab_test_answers_test_id_state"), ["test_id", "state"], unique=False
        )

    op.create_table(
        "ab_test_arms",
        sa.Column("test_id", sa.Uuid(), nullable=False),
        sa.Column("arm", sa.String(length=10), nullable=False),
        sa.Column("prompt_id", sa.Uuid(), nullable=True),
        sa.Column("version_id", sa.Uuid(), nullable=True),
        sa.Column("model_id", sa.Uuid(), nullable=True),
        sa.Column("parameters", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("prompt_name", sa.String(length=100), nullable=False),
        sa.Column("version_label", sa.String(length=50), nullable=False),
        sa.Column("model_name", sa.String(length=300), nullable=False),
        sa.CheckConstraint("arm IN ('first', 'second')", name=op.f("ck_ab_test_arms_arm")),
        sa.ForeignKeyConstraint(
            ["model_id"],
            ["models.id"],
            name=op.f("fk_ab_test_arms_model_id_models"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["prompt_id"],
            ["prompts.id"],
            name=op.f("fk_ab_test_arms_prompt_id_prompts"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["test_id"],
            ["ab_tests.id"],
            name=op.f("fk_ab_test_arms_test_id_ab_tests"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["version_id"],
            ["prompt_versions.id"],
            name=op.f("fk_ab_test_arms_version_id_prompt_versions"),
            ondelete="SET NULL",
        ),
        sa.PrimaryKeyConstraint("test_id", "arm", name=op.f("pk_ab_test_arms")),
    )
    with op.batch_alter_table("ab_test_arms", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_ab_test_arms_model_id"), ["model_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_ab_test_arms_prompt_id"), ["prompt_id"], unique=False)
        batch_op.create_index(
            batch_op.f("ix_ab_test_arms_version_id"), ["version_id"], unique=False
        )

    op.create_table(
        "ab_test_batches",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("test_id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.Uuid(), nullable=True),
        sa.Column("case_ids", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("measures", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("ended_at", UtcDateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["run_id"],
            ["runs.id"],
            name=op.f("fk_ab_test_batches_run_id_runs"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["test_id"],
            ["ab_tests.id"],
            name=op.f("fk_ab_test_batches_test_id_ab_tests"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ab_test_batches")),
        sa.UniqueConstraint("test_id", "number", name=op.f("uq_ab_test_batches_test_id_number")),
    )
    with op.batch_alter_table("ab_test_batches", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_ab_test_batches_run_id"), ["run_id"], unique=False)

    op.create_table(
        "ab_test_judges",
        sa.Column("test_id", sa.Uuid(), nullable=False),
        sa.Column("model_id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(
            ["model_id"],
            ["models.id"],
            name=op.f("fk_ab_test_judges_model_id_models"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["test_id"],
            ["ab_tests.id"],
            name=op.f("fk_ab_test_judges_test_id_ab_tests"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("test_id", "model_id", name=op.f("pk_ab_test_judges")),
    )
    with op.batch_alter_table("ab_test_judges", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_ab_test_judges_model_id"), ["model_id"], unique=False)

    op.create_table(
        "ab_test_scorers",
        sa.Column("test_id", sa.Uuid(), nullable=False),
        sa.Column("scorer_id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(
            ["scorer_id"],
            ["scorers.id"],
            name=op.f("fk_ab_test_scorers_scorer_id_scorers"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["test_id"],
            ["ab_tests.id"],
            name=op.f("fk_ab_test_scorers_test_id_ab_tests"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("test_id", "scorer_id", name=op.f("pk_ab_test_scorers")),
    )
    with op.batch_alter_table("ab_test_scorers", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_ab_test_scorers_scorer_id"), ["scorer_id"], unique=False
        )
    with op.batch_alter_table("budgets") as budgets:
        budgets.drop_constraint(op.f("ck_budgets_scope"), type_="check")
        budgets.create_check_constraint(op.f("ck_budgets_scope"), SCOPES)
