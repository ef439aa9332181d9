"""Whether failed answers of a run score 0 or are missing."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    with op.batch_alter_table("runs", schema=None) as batch_op:
        batch_op.add_column(
            sa.Column("failed_count_zero", sa.Boolean(), server_default=sa.false(), nullable=False)
        )
