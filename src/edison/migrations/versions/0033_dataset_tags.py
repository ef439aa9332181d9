"""Tags of datasets."""

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"


def upgrade() -> None:
    op.add_column("datasets", sa.Column("tags", sa.Text(), nullable=False, server_default="\n"))


def downgrade() -> None:
    op.drop_column("datasets", "tags")
