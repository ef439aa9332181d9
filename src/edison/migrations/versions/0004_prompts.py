"""Prompts, their drafts and their versions."""

import sqlalchemy as sa
from alembic import op

from edison.db.base import JsonColumn, UtcDateTime

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.create_table(
        "prompts",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("project_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("description", sa.Text(), nullable=True),
        sa.Column("archived_at", UtcDateTime(), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
        sa.CheckConstraint("kind IN ('generator', 'grader')", name=op.f("ck_prompts_kind")),
        sa.ForeignKeyConstraint(
            ["project_id"],
            ["projects.id"],
            name=op.f("fk_prompts_project_id_projects"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_prompts")),
        sa.UniqueConstraint("project_id", "name", name=op.f("uq_prompts_project_id_name")),
    )
    with op.batch_alter_table("prompts", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_prompts_project_id_updated_at_id"),
            ["project_id", "updated_at", "id"],
            unique=False,
        )

    op.create_table(
        "prompt_versions",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("prompt_id", sa.Uuid(), nullable=False),
        sa.Column("sequence", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("parent_id", sa.Uuid(), nullable=True),
        sa.Column("origin", sa.String(length=20), nullable=False),
        sa.Column("changelog", sa.Text(), nullable=True),
        sa.Column("author_id", sa.Uuid(), nullable=True),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("is_production", sa.Boolean(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("syntax", sa.String(length=10), nullable=False),
        sa.Column("system", sa.Text(), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("few_shots", JsonColumn, nullable=False),
        sa.Column("tools", JsonColumn, nullable=False),
        sa.CheckConstraint(
            "origin IN ('run', 'manual', 'rename', 'suggestion')",
            name=op.f("ck_prompt_versions_origin"),
        ),
        sa.CheckConstraint(
            "syntax IN ('double', 'single')", name=op.f("ck_prompt_versions_syntax")
        ),
        sa.CheckConstraint(
            "parent_id <> id", name=op.f("ck_prompt_versions_is_not_its_own_parent")
        ),
        sa.ForeignKeyConstraint(
            ["author_id"],
            ["users.id"],
            name=op.f("fk_prompt_versions_author_id_users"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["parent_id"],
            ["prompt_versions.id"],
            name=op.f("fk_prompt_versions_parent_id_prompt_versions"),
        ),
        sa.ForeignKeyConstraint(
            ["prompt_id"],
            ["prompts.id"],
            name=op.f("fk_prompt_versions_prompt_id_prompts"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_prompt_versions")),
        sa.UniqueConstraint(
            "prompt_id", "name", "number", name=op.f("uq_prompt_versions_prompt_id_name_number")
        ),
        sa.UniqueConstraint(
            "prompt_id", "sequence", name=op.f("uq_prompt_versions_prompt_id_sequence")
        ),
    )
    with op.batch_alter_table("prompt_versions", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_prompt_versions_author_id"), ["author_id"], unique=False
        )
        batch_op.create_index(
            batch_op.f("ix_prompt_versions_parent_id"), ["parent_id"], unique=False
        )
        batch_op.create_index(
            "uq_prompt_versions_production",
            ["prompt_id"],
            unique=True,
            sqlite_where=sa.text("is_production"),
            postgresql_where=sa.text("is_production"),
        )

    op.create_table(
        "prompt_drafts",
        sa.Column("prompt_id", sa.Uuid(), nullable=False),
        sa.Column("parent_id", sa.Uuid(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
        sa.Column("syntax", sa.String(length=10), nullable=False),
        sa.Column("system", sa.Text(), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("few_shots", JsonColumn, nullable=False),
        sa.Column("tools", JsonColumn, nullable=False),
        sa.CheckConstraint("syntax IN ('double', 'single')", name=op.f("ck_prompt_drafts_syntax")),
        sa.ForeignKeyConstraint(
            ["parent_id"],
            ["prompt_versions.id"],
            name=op.f("fk_prompt_drafts_parent_id_prompt_versions"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["prompt_id"],
            ["prompts.id"],
            name=op.f("fk_prompt_drafts_prompt_id_prompts"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("prompt_id", name=op.f("pk_prompt_drafts")),
    )
    with op.batch_alter_table("prompt_drafts", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_prompt_drafts_parent_id"), ["parent_id"], unique=False)
