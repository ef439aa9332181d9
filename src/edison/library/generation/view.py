"""Conversion of rows to API schemas."""

from typing import Any

from edison.kit.money import usd_from_nanos
from edison.library.generation.models import Generation, GenerationDraft
from edison.library.generation.plan import GenerationPlan
from edison.library.generation.schemas import (
    CaseDraftRead,
    GenerationDetail,
    GenerationRead,
    NearRead,
)

_PLAIN = set(GenerationRead.model_fields) - {"cost_usd"}


def read_generation(generation: Generation) -> GenerationRead:
    return GenerationRead(**_fields(generation))


def read_detail(generation: Generation, *, near_duplicates: int) -> GenerationDetail:
    plan = GenerationPlan.model_validate(generation.plan)
    return GenerationDetail.model_validate(
        {
            **_fields(generation),
            "request": generation.request,
            "variables": list(plan.variables),
            "gaps": list(plan.gaps),
            "near_duplicates": near_duplicates,
        }
    )


def read_draft(draft: GenerationDraft) -> CaseDraftRead:
    near = None
    if draft.similarity is not None:
        near = NearRead(
            similarity=draft.similarity,
            case_id=draft.near_case_id,
            draft_id=draft.near_draft_id,
        )
    names = set(CaseDraftRead.model_fields) - {"near"}
    return CaseDraftRead(**{name: getattr(draft, name) for name in names}, near=near)


def _fields(generation: Generation) -> dict[str, Any]:
    cost = generation.cost_nanos
    return {
        **{name: getattr(generation, name) for name in _PLAIN},
        "cost_usd": None if cost is None else usd_from_nanos(cost),
    }
