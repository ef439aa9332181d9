"""Suggestions hold the parts of the prompt that they change. Earlier ones changed the main text."""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"


def upgrade() -> None:
    with op.batch_alter_table("suggestions") as batch:
        batch.add_column(sa.Column("parts", sa.JSON(none_as_null=True), nullable=True))
    _move_texts()
    with op.batch_alter_table("suggestions") as batch:
        batch.alter_column("parts", existing_type=sa.JSON(none_as_null=True), nullable=False)
        batch.drop_column("text")


def _move_texts() -> None:
    suggestions = sa.table(
        "suggestions",
        sa.column("id", sa.Uuid()),
        sa.column("text", sa.Text()),
        sa.column("parts", sa.JSON(none_as_null=True)),
    )
    connection = op.get_bind()
    for suggestion_id, text in connection.execute(
        sa.select(suggestions.c.id, suggestions.c.text)
    ).all():
        connection.execute(
            sa.update(suggestions)
            .where(suggestions.c.id == suggestion_id)
            .values(parts={"text": text})
        )
