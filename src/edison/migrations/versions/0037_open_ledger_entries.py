"""Indexes of the ledger by state have only the entries that are looked for by it."""

import sqlalchemy as sa
from alembic import op

revision = "0037"
down_revision = "0036"

OPEN = {
    "reserved": ["process_id"],
    "unconfirmed": ["project_id", "state", "created_at"],
}
WHOLE = (["state", "created_at"], ["process_id", "state"])


def upgrade() -> None:
    for columns in WHOLE:
        op.drop_index(_name(columns), "ledger_entries")
    for state, columns in OPEN.items():
        condition = sa.text(f"state = '{state}'")
        op.create_index(
            _name([state]),
            "ledger_entries",
            columns,
            sqlite_where=condition,
            postgresql_where=condition,
        )


def downgrade() -> None:
    for state in OPEN:
        op.drop_index(_name([state]), "ledger_entries")
    for columns in WHOLE:
        op.create_index(_name(columns), "ledger_entries", columns)


def _name(parts: list[str]) -> str:
    return "_".join(["ix_ledger_entries", *parts])
