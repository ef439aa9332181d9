"""A ledger entry may stand for many calls, once their run was deleted."""

import sqlalchemy as sa
from alembic import op

revision = "0036"
down_revision = "0035"

TOKENS = (
    "counted_tokens",
    "input_tokens",
    "output_tokens",
    "cached_input_tokens",
    "reasoning_tokens",
)


def upgrade() -> None:
    op.add_column(
        "ledger_entries", sa.Column("calls", sa.Integer(), nullable=False, server_default="1")
    )
    _change_tokens("BIGINT")


def downgrade() -> None:
    _change_tokens("INTEGER")
    op.drop_column("ledger_entries", "calls")


def _change_tokens(kind: str) -> None:
    """In one statement, which writes the table once. SQLite's integers have 64 bits anyway."""
    if op.get_bind().dialect.name == "postgresql":
        changes = ", ".join(f"ALTER COLUMN {name} TYPE {kind}" for name in TOKENS)
        op.execute(f"ALTER TABLE ledger_entries {changes}")
