"""Voting: one person claims pairs, votes or skips, and may undo the last step."""

from datetime import datetime
from typing import Literal
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit.lazy_dataclasses import dataclass
from edison.runs.voting.errors import MatchNotClaimed, NoVoteToUndo, VotingClosed
from edison.runs.voting.models import VotingRound
from edison.runs.voting.pair_order import VOTES_BETWEEN, comes_back, first_shown
from edison.runs.voting.priorities import get_priorities, get_repeated
from edison.runs.voting.repository.rounds import Rounds
from edison.runs.voting.repository.seats import VotingSeats
from edison.runs.voting.rounds import announce, read_round
from edison.runs.voting.schemas import VoteRequest, VotingMatchRead, VotingStep
from edison.runs.voting.states import ShownChoice, VoteChoice, VotingState
from edison.workspace.audit import service as audit

Turn = Literal[1, 2]


@dataclass(frozen=True, slots=True, kw_only=True)
class Voter:
    """A person in a round."""

    project_id: UUID
    round_id: UUID
    user_id: UUID


async def claim_next(session: AsyncSession, *, who: Voter) -> VotingStep:
    """Returns the person's claimed pair, or claims the next. Raises VotingClosed."""
    round_ = await _enter(session, who)
    return await _step(session, who, round_)


async def cast(
    session: AsyncSession, *, who: Voter, match_id: UUID, wanted: VoteRequest
) -> VotingStep:
    """Votes on a claimed pair and claims the next. Raises VotingClosed, MatchNotClaimed."""
    round_ = await _enter(session, who)
    seats = VotingSeats(session, who.round_id, who.user_id)
    await seats.get_match(match_id)
    if wanted.turn == 1:
        is_claimed = await seats.mark_voted(match_id)
    else:
        is_claimed = comes_back(round_.order_key, match_id, who.user_id) and bool(
            await seats.list_waiting([match_id])
        )
    if not is_claimed:
        raise MatchNotClaimed
    shown = first_shown(round_.order_key, match_id, who.user_id, wanted.turn)
    choice = _stored(wanted.choice, shown)
    if not await seats.add_vote(match_id, turn=wanted.turn, choice=choice, shown_first=shown):
        raise MatchNotClaimed
    _note(session, who, match_id, "cast", choice=wanted.choice, turn=wanted.turn)
    step = await _step(session, who, round_)
    await announce(session, round_)
    return step


def _stored(choice: ShownChoice, shown_first: str) -> VoteChoice:
    if choice is ShownChoice.TIE:
        return VoteChoice.TIE
    if choice is ShownChoice.BOTH_BAD:
        return VoteChoice.BOTH_BAD
    is_a = (choice is ShownChoice.FIRST) == (shown_first == "a")
    return VoteChoice.A if is_a else VoteChoice.B


async def skip(session: AsyncSession, *, who: Voter, match_id: UUID) -> VotingStep:
    """Skips a claimed pair and claims the next. Raises VotingClosed, MatchNotClaimed."""
    round_ = await _enter(session, who)
    seats = VotingSeats(session, who.round_id, who.user_id)
    await seats.get_match(match_id)
    # A pair that came back has no seat: skipping it is final.
    if not await seats.release(match_id) and not await seats.list_waiting([match_id]):
        raise MatchNotClaimed
    await seats.skip(match_id)
    _note(session, who, match_id, "skipped")
    step = await _step(session, who, round_)
    await announce(session, round_)
    return step


async def undo(session: AsyncSession, *, who: Voter) -> VotingStep:
    """Takes back the person's last vote or skip, and shows its pair again. Raises VotingClosed,
    NoVoteToUndo.
    """
    round_ = await _enter(session, who)
    seats = VotingSeats(session, who.round_id, who.user_id)
    own, skipped = await seats.list_own(), await seats.find_last_skip()
    if not own and skipped is None:
        raise NoVoteToUndo
    await seats.release()
    turn: Turn = 1
    if skipped is not None and (not own or skipped[1] >= own[-1][2]):
        match_id = skipped[0]
        await seats.unskip(match_id)
        if match_id in {match for match, _, _ in own}:
            turn, until = 2, None
        else:
            claimed = await seats.claim((), match_id)
            if claimed is None:
                raise NoVoteToUndo
            until = claimed[1]
    else:
        match_id, last, _ = own[-1]
        turn = 1 if last == 1 else 2
        await seats.remove_vote(match_id, turn)
        until = await seats.reopen(match_id) if turn == 1 else None
    _note(session, who, match_id, "undone")
    step = VotingStep(
        round=await read_round(session, round_, user_id=who.user_id),
        match=await _read(seats, round_, match_id, turn, until),
    )
    await announce(session, round_)
    return step


def _note(session: AsyncSession, who: Voter, match_id: UUID, action: str, **more: object) -> None:
    """Choices are recorded as shown, which names no model."""
    audit.record(
        session,
        f"vote.{action}",
        entity=("voting_match", match_id),
        project_id=who.project_id,
        after={"round_id": str(who.round_id), **more},
    )


async def _enter(session: AsyncSession, who: Voter) -> VotingRound:
    round_ = await Rounds(session).get(who.project_id, who.round_id)
    if round_.state != VotingState.OPEN:
        raise VotingClosed
    return round_


async def _step(session: AsyncSession, who: Voter, round_: VotingRound) -> VotingStep:
    seats = VotingSeats(session, who.round_id, who.user_id)
    claimed = await _claim(session, seats, round_)
    return VotingStep(
        round=await read_round(session, round_, user_id=who.user_id),
        match=None if claimed is None else await _read(seats, round_, *claimed),
    )


async def _claim(
    session: AsyncSession, seats: VotingSeats, round_: VotingRound
) -> tuple[UUID, Turn, datetime | None] | None:
    """The claimed pair, one that comes back, or a new one; at the end, all that come back."""
    mine = await seats.renew()
    if mine is not None:
        return mine[0], 1, mine[1]
    waiting = await _list_coming_back(seats, round_)
    due = [match_id for match_id, is_due in waiting if is_due]
    if due:
        return due[0], 2, None
    taken = await seats.claim(await get_priorities(session, round_.id))
    if taken is not None:
        return taken[0], 1, taken[1]
    return (waiting[0][0], 2, None) if waiting else None


async def _list_coming_back(seats: VotingSeats, round_: VotingRound) -> list[tuple[UUID, bool]]:
    """Matches to be shown again, in the order of the votes, with whether they are due."""
    repeated = await get_repeated(seats, round_.order_key)
    waiting = await seats.list_waiting(repeated)
    if not waiting:
        return []
    newest = await seats.list_newest(VOTES_BETWEEN)
    return [(match_id, match_id not in newest) for match_id in waiting]


async def _read(
    seats: VotingSeats, round_: VotingRound, match_id: UUID, turn: Turn, until: datetime | None
) -> VotingMatchRead:
    match = await seats.get_match(match_id)
    inputs, a, b = await seats.read_match(match, round_.run_id)
    is_a_first = first_shown(round_.order_key, match_id, seats.user_id, turn) == "a"
    return VotingMatchRead(
        id=match_id,
        turn=turn,
        inputs=inputs,
        first=a if is_a_first else b,
        second=b if is_a_first else a,
        lease_until=until,
    )
