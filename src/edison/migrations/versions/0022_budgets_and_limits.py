"""Budgets of arenas."""

from alembic import op

revision = "0022"
down_revision = "0020"

SCOPES = "scope IN ('project', 'experiment', 'monitor', 'optimizer', 'arena')"


def upgrade() -> None:
    with op.batch_alter_table("budgets") as budgets:
        budgets.drop_constraint(op.f("ck_budgets_scope"), type_="check")
        budgets.create_check_constraint(op.f("ck_budgets_scope"), SCOPES)
