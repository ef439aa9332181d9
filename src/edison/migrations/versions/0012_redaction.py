"""What is taken out of a run's answers before they are stored."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    with op.batch_alter_table("runs", schema=None) as batch_op:
        batch_op.add_column(sa.Column("redaction", sa.JSON(none_as_null=True), nullable=True))
