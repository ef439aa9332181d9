"""Why cells of a run failed or are malformed, by cause."""

from typing import Annotated
from uuid import UUID

from pydantic import Field
from sqlalchemy import case, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.schema import Schema
from edison.pipeline.generate.outcome import FinishReason
from edison.runs.read.view import explained
from edison.runs.store.models import Output
from edison.runs.store.repository import Runs


class FailureCause(Schema):
    """Cells that failed or are malformed for the same reason. `message`, `provider_text` and
    `credential` are those of the first such cell.
    """

    status: str
    reason: str
    count: int
    cut_off_count: Annotated[int, Field(description="Of these, cut off at the maximum of tokens")]
    model_names: list[str]
    output_id: Annotated[UUID, Field(description="The first of them")]
    message: str | None
    provider_text: str | None
    credential: str | None


async def list_causes(
    session: AsyncSession, *, project_id: UUID, run_id: UUID
) -> list[FailureCause]:
    """The most frequent cause first."""
    runs = Runs(session)
    await runs.get(project_id, run_id)
    names = {each.position: each.model_name for each in await runs.list_variants(run_id)}
    is_cut_off = case((Output.finish_reason == FinishReason.LENGTH, 1), else_=0)
    counted = await session.execute(
        select(
            Output.status,
            Output.error,
            Output.variant_position,
            func.count(),
            func.sum(is_cut_off),
            func.min(Output.number),
        )
        .where(Output.run_id == run_id, Output.status != "ok")
        .group_by(Output.status, Output.error, Output.variant_position)
        .order_by(Output.variant_position)
    )
    groups: dict[tuple[str, str], list[tuple[int, int, int, int]]] = {}
    for status, error, *rest in counted:
        groups.setdefault((status, error or ""), []).append((rest[0], rest[1], rest[2], rest[3]))
    firsts = {key: min(first for *_, first in found) for key, found in groups.items()}
    examples = {
        each.number: each
        for each in await session.scalars(
            select(Output).where(Output.run_id == run_id, Output.number.in_(firsts.values()))
        )
    }
    causes = [_cause(examples[firsts[key]], found, names) for key, found in groups.items()]
    return sorted(causes, key=lambda each: -each.count)


def _cause(
    example: Output, found: list[tuple[int, int, int, int]], names: dict[int, str]
) -> FailureCause:
    rest = example.completion or {}
    return FailureCause(
        status=example.status,
        reason=example.error or "",
        count=sum(count for _, count, _, _ in found),
        cut_off_count=sum(cut_off for _, _, cut_off, _ in found),
        model_names=list(dict.fromkeys(names[variant] for variant, *_ in found)),
        output_id=example.id,
        message=explained(example),
        provider_text=rest.get("provider_text"),
        credential=rest.get("credential"),
    )
