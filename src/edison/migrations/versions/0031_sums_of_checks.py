"""An index that covers the counts and costs of a monitor's checks."""

from alembic import op

revision = "0031"
down_revision = "0030"

_NAME = "ix_monitor_checks_day_sums"
_COLUMNS = ["monitor_id", "state", "scheduled_for", "created_at", "cost_nanos"]


def upgrade() -> None:
    op.create_index(_NAME, "monitor_checks", _COLUMNS)


def downgrade() -> None:
    op.drop_index(_NAME, table_name="monitor_checks")
