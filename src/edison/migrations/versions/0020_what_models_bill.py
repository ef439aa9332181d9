"""What models bill for their input, which bounds reservations."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    op.create_table(
        "model_billed_inputs",
        sa.Column("model_id", sa.Uuid(), nullable=False),
        sa.Column("bills", sa.Integer(), nullable=False),
        sa.Column("ratio_percent", sa.Integer(), nullable=False),
        sa.Column("overhead_tokens", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["model_id"],
            ["models.id"],
            name=op.f("fk_model_billed_inputs_model_id_models"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("model_id", name=op.f("pk_model_billed_inputs")),
    )
