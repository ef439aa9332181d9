"""What optimizations found out about cheaper models."""

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"


def upgrade() -> None:
    op.add_column("optimizations", sa.Column("model_choice", sa.JSON(none_as_null=True)))


def downgrade() -> None:
    op.drop_column("optimizations", "model_choice")
