"""Rounds of blind voting: create, list, close, delete."""

import secrets
from collections.abc import Sequence
from itertools import combinations
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice
from edison.kit import clock, ids
from edison.kit.errors import FieldProblem, Invalid
from edison.pipeline.render.values import value_text
from edison.runs.store.models import RunVariant
from edison.runs.store.states import RunState
from edison.runs.voting.errors import NothingToVoteOn, VotingClosed
from edison.runs.voting.model_names import ModelNames
from edison.runs.voting.models import VotingRound
from edison.runs.voting.pair_order import PairCandidate, sample
from edison.runs.voting.repository.rounds import RoundCounts, Rounds
from edison.runs.voting.schemas import VotingRoundRead, VotingRoundRequest
from edison.runs.voting.states import VotingState
from edison.workspace.audit import service as audit
from edison.workspace.events import service as events

ORDER_KEY_BYTES = 32


async def create_round(
    session: AsyncSession, *, project_id: UUID, author_id: UUID, wanted: VotingRoundRequest
) -> VotingRoundRead:
    """Raises Invalid for a run that is unknown or not completed, and NothingToVoteOn."""
    rounds = Rounds(session)
    run = await rounds.find_run(project_id, wanted.run_id)
    if run is None or run.state != RunState.COMPLETED:
        message = (
            "There is no such run in this project." if run is None else "Choose a completed run."
        )
        code = "unknown_run" if run is None else "run_not_completed"
        raise Invalid(FieldProblem(field="run_id", message=message, code=code))
    variants = await rounds.list_variants(run.id)
    order_key = secrets.token_hex(ORDER_KEY_BYTES)
    drawn = sample(
        await rounds.list_candidates(run.id, _pairs(variants)),
        count=wanted.matches,
        seed=order_key,
    )
    kept, named, identical = await _leave_out(rounds, run.id, variants, drawn)
    if not kept:
        raise NothingToVoteOn(named=named, identical=identical)
    made = VotingRound(
        id=ids.new_id(),
        project_id=project_id,
        run_id=run.id,
        name=wanted.name,
        instructions=wanted.instructions,
        state=VotingState.OPEN,
        people_per_match=wanted.people_per_match,
        order_key=order_key,
        named_count=named,
        identical_count=identical,
        author_id=author_id,
        created_at=clock.now(),
    )
    await rounds.add(made, kept)
    _note(session, made, "created", matches=len(kept))
    await announce(session, made)
    return await read_round(session, made, user_id=author_id)


def _pairs(variants: Sequence[RunVariant]) -> set[tuple[int, int]]:
    """Pairs of variants of different models; variants of deleted models count as different."""
    return {
        (a.position, b.position)
        for a, b in combinations(variants, 2)
        if a.model_id is None or a.model_id != b.model_id
    }


async def _leave_out(
    rounds: Rounds, run_id: UUID, variants: Sequence[RunVariant], drawn: Sequence[PairCandidate]
) -> tuple[list[PairCandidate], int, int]:
    """The pairs to vote on, and the numbers of those that name a model or are identical."""
    model_ids = [each.model_id for each in variants if each.model_id is not None]
    provider_models = await rounds.find_provider_models(model_ids)
    names = ModelNames([*(each.model_name for each in variants), *provider_models.values()])
    outputs = {id_ for each in drawn for id_ in (each.output_a_id, each.output_b_id)}
    texts = await rounds.find_texts(outputs)
    inputs = await rounds.find_inputs(run_id, {each.case_position for each in drawn})
    asked = {
        case: "\n".join(value_text(value) for value in values.values())
        for case, values in inputs.items()
    }
    kept, named, identical = list[PairCandidate](), 0, 0
    for each in drawn:
        pair = (texts[each.output_a_id], texts[each.output_b_id])
        if any(names.are_in(text, asked=asked[each.case_position]) for text in pair):
            named += 1
        elif pair[0].strip() == pair[1].strip():
            identical += 1
        else:
            kept.append(each)
    return kept, named, identical


async def list_rounds(
    session: AsyncSession, *, project_id: UUID, user_id: UUID, page: PageRequest
) -> Slice[VotingRoundRead]:
    rounds = Rounds(session)
    found = await rounds.page(project_id, page)
    counts = await rounds.count([each.id for each in found.items], user_id)
    items = [_read(each, counts.get(each.id, RoundCounts())) for each in found.items]
    return Slice(items=items, next=found.next, total=found.total)


async def get_round(
    session: AsyncSession, *, project_id: UUID, round_id: UUID, user_id: UUID
) -> VotingRoundRead:
    found = await Rounds(session).get(project_id, round_id)
    return await read_round(session, found, user_id=user_id)


async def read_round(
    session: AsyncSession, round_: VotingRound, *, user_id: UUID
) -> VotingRoundRead:
    counts = await Rounds(session).count([round_.id], user_id)
    return _read(round_, counts.get(round_.id, RoundCounts()))


async def close_round(
    session: AsyncSession, *, project_id: UUID, round_id: UUID, user_id: UUID
) -> VotingRoundRead:
    """Ends the votes for good and reveals the models. Raises VotingClosed."""
    rounds = Rounds(session)
    round_ = await rounds.get(project_id, round_id)
    if not await rounds.close(round_id):
        raise VotingClosed
    round_ = await rounds.get(project_id, round_id)
    _note(session, round_, "closed")
    await announce(session, round_)
    return await read_round(session, round_, user_id=user_id)


async def rename_round(
    session: AsyncSession, *, project_id: UUID, round_id: UUID, name: str, user_id: UUID
) -> VotingRoundRead:
    round_ = await Rounds(session).get(project_id, round_id)
    before, round_.name = round_.name, name
    await session.flush()
    _note(session, round_, "renamed", before=before)
    await announce(session, round_)
    return await read_round(session, round_, user_id=user_id)


async def delete_round(session: AsyncSession, *, project_id: UUID, round_id: UUID) -> None:
    rounds = Rounds(session)
    round_ = await rounds.get(project_id, round_id)
    await rounds.remove(round_id)
    _note(session, round_, "deleted")
    await announce(session, round_)


async def announce(session: AsyncSession, round_: VotingRound) -> None:
    """Publishes the change to the project's stream. Call it last: it locks the stream."""
    await events.publish(
        session,
        stream=events.project_stream(round_.project_id),
        kind="voting.changed",
        data={"entity_id": str(round_.id)},
    )


def _note(session: AsyncSession, round_: VotingRound, action: str, **more: object) -> None:
    audit.record(
        session,
        f"voting_round.{action}",
        entity=("voting_round", round_.id),
        project_id=round_.project_id,
        after={"name": round_.name, **more},
    )


def _read(round_: VotingRound, counts: RoundCounts) -> VotingRoundRead:
    return VotingRoundRead(
        id=round_.id,
        name=round_.name,
        instructions=round_.instructions,
        state=VotingState(round_.state),
        people_per_match=round_.people_per_match,
        match_count=counts.matches,
        seat_count=counts.seats,
        vote_count=counts.votes,
        my_votes=counts.mine,
        named_count=round_.named_count,
        identical_count=round_.identical_count,
        created_at=round_.created_at,
        closed_at=round_.closed_at,
    )
