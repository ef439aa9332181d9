"""Blind voting: rounds, matches, seats, votes."""

import sqlalchemy as sa
from alembic import op

from edison.db.base import UtcDateTime

revision = "0028"
down_revision = "0027"


def upgrade() -> None:
    op.create_table(
        "voting_rounds",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("project_id", sa.Uuid(), nullable=False),
        sa.Column("run_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("instructions", sa.Text(), nullable=True),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("people_per_match", sa.SmallInteger(), nullable=False),
        sa.Column("order_key", sa.String(length=64), nullable=False),
        sa.Column("named_count", sa.Integer(), nullable=False),
        sa.Column("identical_count", sa.Integer(), nullable=False),
        sa.Column("author_id", sa.Uuid(), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("closed_at", UtcDateTime(), nullable=True),
        sa.CheckConstraint("state IN ('open', 'closed')", name=op.f("ck_voting_rounds_state")),
        sa.CheckConstraint("people_per_match >= 1", name=op.f("ck_voting_rounds_people_positive")),
        sa.ForeignKeyConstraint(
            ["author_id"],
            ["users.id"],
            name=op.f("fk_voting_rounds_author_id_users"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["project_id"],
            ["projects.id"],
            name=op.f("fk_voting_rounds_project_id_projects"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["run_id"], ["runs.id"], name=op.f("fk_voting_rounds_run_id_runs"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_voting_rounds")),
    )
    op.create_index(op.f("ix_voting_rounds_author_id"), "voting_rounds", ["author_id"])
    op.create_index(
        op.f("ix_voting_rounds_project_id_created_at_id"),
        "voting_rounds",
        ["project_id", "created_at", "id"],
    )
    op.create_index(op.f("ix_voting_rounds_run_id"), "voting_rounds", ["run_id"])

    op.create_table(
        "voting_matches",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("round_id", sa.Uuid(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("case_position", sa.Integer(), nullable=False),
        sa.Column("variant_a", sa.SmallInteger(), nullable=False),
        sa.Column("variant_b", sa.SmallInteger(), nullable=False),
        sa.Column("output_a_id", sa.Uuid(), nullable=False),
        sa.Column("output_b_id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(
            ["output_a_id"],
            ["outputs.id"],
            name=op.f("fk_voting_matches_output_a_id_outputs"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["output_b_id"],
            ["outputs.id"],
            name=op.f("fk_voting_matches_output_b_id_outputs"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["round_id"],
            ["voting_rounds.id"],
            name=op.f("fk_voting_matches_round_id_voting_rounds"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_voting_matches")),
        sa.UniqueConstraint(
            "round_id", "position", name=op.f("uq_voting_matches_round_id_position")
        ),
    )
    op.create_index(op.f("ix_voting_matches_output_a_id"), "voting_matches", ["output_a_id"])
    op.create_index(op.f("ix_voting_matches_output_b_id"), "voting_matches", ["output_b_id"])

    op.create_table(
        "votes",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("match_id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=True),
        sa.Column("turn", sa.SmallInteger(), nullable=False),
        sa.Column("choice", sa.String(length=10), nullable=False),
        sa.Column("shown_first", sa.String(length=1), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.CheckConstraint("choice IN ('a', 'b', 'tie', 'both_bad')", name=op.f("ck_votes_choice")),
        sa.CheckConstraint("shown_first IN ('a', 'b')", name=op.f("ck_votes_shown_first")),
        sa.CheckConstraint("turn IN (1, 2)", name=op.f("ck_votes_turn")),
        sa.ForeignKeyConstraint(
            ["match_id"],
            ["voting_matches.id"],
            name=op.f("fk_votes_match_id_voting_matches"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_votes_user_id_users"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_votes")),
        sa.UniqueConstraint(
            "match_id", "user_id", "turn", name=op.f("uq_votes_match_id_user_id_turn")
        ),
    )
    op.create_index(op.f("ix_votes_user_id"), "votes", ["user_id"])

    op.create_table(
        "voting_seats",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("match_id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.SmallInteger(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=True),
        sa.Column("lease_until", UtcDateTime(), nullable=True),
        sa.Column("is_voted", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"],
            ["voting_matches.id"],
            name=op.f("fk_voting_seats_match_id_voting_matches"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["users.id"],
            name=op.f("fk_voting_seats_user_id_users"),
            ondelete="SET NULL",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_voting_seats")),
        sa.UniqueConstraint("match_id", "number", name=op.f("uq_voting_seats_match_id_number")),
        sa.UniqueConstraint("match_id", "user_id", name=op.f("uq_voting_seats_match_id_user_id")),
    )
    op.create_index(op.f("ix_voting_seats_user_id"), "voting_seats", ["user_id"])

    op.create_table(
        "voting_skips",
        sa.Column("match_id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"],
            ["voting_matches.id"],
            name=op.f("fk_voting_skips_match_id_voting_matches"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["users.id"],
            name=op.f("fk_voting_skips_user_id_users"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("match_id", "user_id", name=op.f("pk_voting_skips")),
    )
    op.create_index(op.f("ix_voting_skips_user_id"), "voting_skips", ["user_id"])
