"""Cases, their history, bulk changes that can be undone, and files on their way in."""

import sqlalchemy as sa
from alembic import op

from edison.db.base import UtcDateTime

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.create_table(
        "bulk_changes",
        sa.Column("dataset_id", sa.Uuid(), nullable=False),
        sa.Column("change_id", sa.Uuid(), nullable=False),
        sa.Column("action", sa.String(length=20), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("author_id", sa.Uuid(), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["author_id"],
            ["users.id"],
            name=op.f("fk_bulk_changes_author_id_users"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["dataset_id"],
            ["datasets.id"],
            name=op.f("fk_bulk_changes_dataset_id_datasets"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("dataset_id", name=op.f("pk_bulk_changes")),
    )
    op.create_table(
        "case_imports",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("dataset_id", sa.Uuid(), nullable=False),
        sa.Column("author_id", sa.Uuid(), nullable=True),
        sa.Column("filename", sa.String(length=200), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("size_bytes", sa.Integer(), nullable=False),
        sa.Column("preview", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("result", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("expires_at", UtcDateTime(), nullable=False),
        sa.CheckConstraint(
            "state IN ('uploading', 'pending', 'committed')", name=op.f("ck_case_imports_state")
        ),
        sa.ForeignKeyConstraint(
            ["author_id"],
            ["users.id"],
            name=op.f("fk_case_imports_author_id_users"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["dataset_id"],
            ["datasets.id"],
            name=op.f("fk_case_imports_dataset_id_datasets"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_case_imports")),
    )
    with op.batch_alter_table("case_imports", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_case_imports_dataset_id"), ["dataset_id"], unique=False
        )
        batch_op.create_index(
            batch_op.f("ix_case_imports_expires_at"), ["expires_at"], unique=False
        )

    op.create_table(
        "case_versions",
        sa.Column("case_id", sa.Uuid(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("dataset_id", sa.Uuid(), nullable=False),
        sa.Column("change_id", sa.Uuid(), nullable=True),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("split", sa.String(length=10), nullable=False),
        sa.Column("origin", sa.String(length=20), nullable=False),
        sa.Column("difficulty", sa.SmallInteger(), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
        sa.Column("import_id", sa.Uuid(), nullable=True),
        sa.Column("input_hash", sa.String(length=64), nullable=False),
        sa.Column("author_id", sa.Uuid(), nullable=True),
        sa.Column("tags", sa.Text(), nullable=False),
        sa.Column("expected", sa.Text(), nullable=True),
        sa.Column("notes", sa.Text(), nullable=True),
        sa.Column("inputs", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["author_id"],
            ["users.id"],
            name=op.f("fk_case_versions_author_id_users"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["dataset_id"],
            ["datasets.id"],
            name=op.f("fk_case_versions_dataset_id_datasets"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("case_id", "version", name=op.f("pk_case_versions")),
    )
    with op.batch_alter_table("case_versions", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_case_versions_dataset_id_change_id"),
            ["dataset_id", "change_id"],
            unique=False,
        )

    op.create_table(
        "cases",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("dataset_id", sa.Uuid(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("split", sa.String(length=10), nullable=False),
        sa.Column("origin", sa.String(length=20), nullable=False),
        sa.Column("difficulty", sa.SmallInteger(), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
        sa.Column("import_id", sa.Uuid(), nullable=True),
        sa.Column("input_hash", sa.String(length=64), nullable=False),
        sa.Column("author_id", sa.Uuid(), nullable=True),
        sa.Column("tags", sa.Text(), nullable=False),
        sa.Column("expected", sa.Text(), nullable=True),
        sa.Column("notes", sa.Text(), nullable=True),
        sa.Column("inputs", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.CheckConstraint(
            "origin IN ('golden', 'synthetic', 'adversarial', 'questions', 'manual')",
            name=op.f("ck_cases_origin"),
        ),
        sa.CheckConstraint("split IN ('train', 'holdout')", name=op.f("ck_cases_split")),
        sa.CheckConstraint("difficulty BETWEEN 1 AND 5", name=op.f("ck_cases_difficulty_in_range")),
        sa.ForeignKeyConstraint(
            ["author_id"], ["users.id"], name=op.f("fk_cases_author_id_users"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["dataset_id"],
            ["datasets.id"],
            name=op.f("fk_cases_dataset_id_datasets"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_cases")),
    )
    with op.batch_alter_table("cases", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_cases_dataset_id_input_hash"), ["dataset_id", "input_hash"], unique=False
        )
        batch_op.create_index(
            batch_op.f("ix_cases_dataset_id_updated_at_id"),
            ["dataset_id", "updated_at", "id"],
            unique=False,
        )
        batch_op.create_index(
            "ix_cases_list",
            ["dataset_id", "position", "id", "split", "origin", "difficulty"],
            unique=False,
        )

    op.create_table(
        "case_import_blocks",
        sa.Column("import_id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["import_id"],
            ["case_imports.id"],
            name=op.f("fk_case_import_blocks_import_id_case_imports"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("import_id", "number", name=op.f("pk_case_import_blocks")),
    )
    with op.batch_alter_table("datasets", schema=None) as batch_op:
        batch_op.add_column(sa.Column("description", sa.Text(), nullable=True))
        batch_op.add_column(
            sa.Column("holdout_percent", sa.Integer(), server_default="20", nullable=False)
        )
        batch_op.add_column(
            sa.Column("case_count", sa.Integer(), server_default="0", nullable=False)
        )
        batch_op.add_column(
            sa.Column("next_position", sa.Integer(), server_default="1", nullable=False)
        )
        batch_op.add_column(sa.Column("archived_at", UtcDateTime(), nullable=True))
        batch_op.add_column(sa.Column("last_used_at", UtcDateTime(), nullable=True))
