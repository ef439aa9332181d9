"""Comparisons as people and programs see them."""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import Field

from edison.api.schema import Schema, Usd

Side = Literal["a", "b"]
Preference = Literal["a", "b", "tie"]


class ComparerKindRead(Schema):
    """A kind of comparer; `options_schema` is a JSON Schema that draws its form."""

    kind: str
    title: str
    description: str
    cost_class: str
    options_schema: dict[str, Any]


class RunComparerRead(Schema):
    """`baseline` is the position of the variant that all others are compared with."""

    id: UUID
    position: int
    kind: str
    label: str
    baseline: int | None
    options: dict[str, Any]


class OrderRead(Schema):
    """What was said with one of the answers shown first; without a winner `problem` says why."""

    shown_first: Side
    winner: Preference | None
    reasons: list[str]
    raw: str | None
    flag: str | None
    problem: str | None


class ComparisonBrief(Schema):
    """Which of two variants answered a case better; `a` is the one with the lower position."""

    id: UUID
    number: int
    comparer: Annotated[int, Field(description="Position of the comparer")]
    case_position: int
    repeat: int
    variant_a: int
    variant_b: int
    preference: Preference | None
    flag: str | None


class ComparisonRead(ComparisonBrief):
    """With what was said in each order, in terms of a and b."""

    output_a_id: UUID
    output_b_id: UUID
    verdict_ab: Annotated[Preference | None, Field(description="With a shown first")]
    verdict_ba: Annotated[Preference | None, Field(description="With b shown first")]
    rationale: str | None
    orders: list[OrderRead]
    judge_text: str | None
    cost_usd: Usd | None
    created_at: datetime
