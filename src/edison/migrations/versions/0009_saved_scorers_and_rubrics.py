"""Saved scorers and rubrics with their versions, and which of them a run used."""

import sqlalchemy as sa
from alembic import op

from edison.db.base import UtcDateTime

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.create_table(
        "rubrics",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("project_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("description", sa.Text(), nullable=True),
        sa.Column("latest_number", sa.Integer(), nullable=False),
        sa.Column("archived_at", UtcDateTime(), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"],
            ["projects.id"],
            name=op.f("fk_rubrics_project_id_projects"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rubrics")),
        sa.UniqueConstraint("project_id", "name", name=op.f("uq_rubrics_project_id_name")),
    )
    with op.batch_alter_table("rubrics", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_rubrics_project_id_updated_at_id"),
            ["project_id", "updated_at", "id"],
            unique=False,
        )

    op.create_table(
        "scorers",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("project_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("description", sa.Text(), nullable=True),
        sa.Column("latest_number", sa.Integer(), nullable=False),
        sa.Column("archived_at", UtcDateTime(), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"],
            ["projects.id"],
            name=op.f("fk_scorers_project_id_projects"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_scorers")),
        sa.UniqueConstraint("project_id", "name", name=op.f("uq_scorers_project_id_name")),
    )
    with op.batch_alter_table("scorers", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_scorers_project_id_updated_at_id"),
            ["project_id", "updated_at", "id"],
            unique=False,
        )

    op.create_table(
        "rubric_versions",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("rubric_id", sa.Uuid(), nullable=False),
        sa.Column("criteria", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("author_id", sa.Uuid(), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["author_id"],
            ["users.id"],
            name=op.f("fk_rubric_versions_author_id_users"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["rubric_id"],
            ["rubrics.id"],
            name=op.f("fk_rubric_versions_rubric_id_rubrics"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rubric_versions")),
        sa.UniqueConstraint(
            "rubric_id", "number", name=op.f("uq_rubric_versions_rubric_id_number")
        ),
    )
    with op.batch_alter_table("rubric_versions", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_rubric_versions_author_id"), ["author_id"], unique=False
        )

    op.create_table(
        "scorer_versions",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("scorer_id", sa.Uuid(), nullable=False),
        sa.Column("rubric_version_id", sa.Uuid(), nullable=True),
        sa.Column("options", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("threshold", sa.Double(), nullable=True),
        sa.Column("weight", sa.Double(), nullable=False),
        sa.Column("is_negated", sa.Boolean(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("author_id", sa.Uuid(), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.CheckConstraint(
            "threshold BETWEEN 0 AND 1", name=op.f("ck_scorer_versions_threshold_is_a_share")
        ),
        sa.CheckConstraint("weight >= 0", name=op.f("ck_scorer_versions_weight_not_negative")),
        sa.ForeignKeyConstraint(
            ["author_id"],
            ["users.id"],
            name=op.f("fk_scorer_versions_author_id_users"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["rubric_version_id"],
            ["rubric_versions.id"],
            name=op.f("fk_scorer_versions_rubric_version_id_rubric_versions"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["scorer_id"],
            ["scorers.id"],
            name=op.f("fk_scorer_versions_scorer_id_scorers"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_scorer_versions")),
        sa.UniqueConstraint(
            "scorer_id", "number", name=op.f("uq_scorer_versions_scorer_id_number")
        ),
    )
    with op.batch_alter_table("scorer_versions", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_scorer_versions_author_id"), ["author_id"], unique=False
        )
        batch_op.create_index(
            batch_op.f("ix_scorer_versions_rubric_version_id"), ["rubric_version_id"], unique=False
        )

    with op.batch_alter_table("run_scorers", schema=None) as batch_op:
        batch_op.add_column(sa.Column("scorer_version_id", sa.Uuid(), nullable=True))
        batch_op.create_index(
            batch_op.f("ix_run_scorers_scorer_version_id"), ["scorer_version_id"], unique=False
        )
        batch_op.create_foreign_key(
            batch_op.f("fk_run_scorers_scorer_version_id_scorer_versions"),
            "scorer_versions",
            ["scorer_version_id"],
            ["id"],
            ondelete="SET NULL",
        )
