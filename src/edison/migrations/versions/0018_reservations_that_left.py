"""When an attempt left, why an unconfirmed charge was settled or voided, and the unconfirmed part
of what a run cost.

Reservations that are open at this moment may have left, so they keep being charged. Runs take over
their cost from the ledger, which also knows of calls whose cell was never stored; refining a prompt
is booked with the run that it read, and is not part of the run's cost.
"""

import sqlalchemy as sa
from alembic import op

from edison.db.base import UtcDateTime

revision = "0018"
down_revision = "0017"

STATES = "state IN ('reserved', 'settled', 'released', 'unconfirmed')"


def upgrade() -> None:
    with op.batch_alter_table("ledger_entries", schema=None) as batch_op:
        batch_op.add_column(sa.Column("left_at", UtcDateTime(), nullable=True))
        batch_op.add_column(sa.Column("note", sa.String(length=500), nullable=True))
        batch_op.drop_constraint(op.f("ck_ledger_entries_state"), type_="check")
        batch_op.create_check_constraint(op.f("ck_ledger_entries_state"), STATES)
    with op.batch_alter_table("runs", schema=None) as batch_op:
        batch_op.add_column(
            sa.Column("unconfirmed_nanos", sa.BigInteger(), nullable=False, server_default="0")
        )
    op.execute(
        "UPDATE ledger_entries SET left_at = created_at WHERE state IN ('reserved', 'unconfirmed')"
    )
    op.execute("UPDATE ledger_entries SET settled_at = created_at WHERE state = 'unconfirmed'")
    op.execute(
        "UPDATE runs SET"
        " cost_nanos = (SELECT COALESCE(SUM(cost_nanos), 0) FROM ledger_entries"
        " WHERE run_id = runs.id AND purpose IN ('answer', 'judge')),"
        " unconfirmed_nanos = (SELECT COALESCE(SUM(cost_nanos), 0) FROM ledger_entries"
        " WHERE run_id = runs.id AND purpose IN ('answer', 'judge') AND state = 'unconfirmed')"
        " WHERE EXISTS (SELECT 1 FROM ledger_entries"
        " WHERE run_id = runs.id AND purpose IN ('answer', 'judge'))"
    )
