"""Which iteration or suggestion of an experiment a notification is about."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    with op.batch_alter_table("notifications", schema=None) as batch_op:
        batch_op.add_column(sa.Column("part_type", sa.String(length=40), nullable=True))
        batch_op.add_column(sa.Column("part_id", sa.Uuid(), nullable=True))
