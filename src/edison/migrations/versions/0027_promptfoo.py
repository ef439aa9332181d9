"""Nunjucks as a syntax of prompts, and assertions of the cases of a run."""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"

SYNTAXES = "syntax IN ('double', 'single', 'nunjucks')"


def upgrade() -> None:
    for table in ("prompt_drafts", "prompt_versions"):
        with op.batch_alter_table(table) as batch:
            batch.drop_constraint(op.f(f"ck_{table}_syntax"), type_="check")
            batch.create_check_constraint(op.f(f"ck_{table}_syntax"), SYNTAXES)
    op.add_column("run_cases", sa.Column("assertions", sa.JSON(none_as_null=True), nullable=True))
