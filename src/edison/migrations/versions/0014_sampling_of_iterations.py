"""Why not all cases of an iteration were asked about."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    with op.batch_alter_table("iterations", schema=None) as batch_op:
        batch_op.add_column(sa.Column("sampling", sa.JSON(none_as_null=True), nullable=True))
