"""All SQL about seats, votes and skips. Concurrent claims are resolved by conditional updates."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, case, delete, exists, or_, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from edison.db import upsert
from edison.kit import clock, ids
from edison.kit.errors import NotFound
from edison.runs.store.models import Output, RunCase
from edison.runs.voting.models import Vote, VotingMatch, VotingRound, VotingSeat, VotingSkip
from edison.runs.voting.states import VoteChoice, VotingState

# How long a pair stays claimed without activity.
LEASE = timedelta(minutes=10)
_AT_ONCE = 500


class VotingSeats:
    """The seats of a round for one person."""

    def __init__(self, session: AsyncSession, round_id: UUID, user_id: UUID) -> None:
        self._session = session
        self.round_id = round_id
        self.user_id = user_id

    async def get_match(self, match_id: UUID) -> VotingMatch:
        found = await self._session.scalar(
            select(VotingMatch).where(
                VotingMatch.id == match_id, VotingMatch.round_id == self.round_id
            )
        )
        if found is None:
            raise NotFound("There is no such pair in this round.")
        return found

    async def read_match(self, match: VotingMatch, run_id: UUID) -> tuple[dict[str, Any], str, str]:
        """Inputs and the texts of a and b."""
        inputs = await self._session.scalar(
            select(RunCase.inputs).where(
                RunCase.run_id == run_id, RunCase.position == match.case_position
            )
        )
        pair = (match.output_a_id, match.output_b_id)
        rows = await self._session.execute(
            select(Output.id, Output.text).where(Output.id.in_(pair))
        )
        texts = {output_id: text or "" for output_id, text in rows}
        return inputs or {}, texts[pair[0]], texts[pair[1]]

    async def renew(self) -> tuple[UUID, datetime] | None:
        """Renews the person's claimed match."""
        until = clock.now() + LEASE
        renewed = await self._session.scalar(
            update(VotingSeat)
            .where(
                VotingSeat.match_id.in_(self._matches()),
                VotingSeat.user_id == self.user_id,
                VotingSeat.is_voted.is_(False),
            )
            .values(lease_until=until)
            .returning(VotingSeat.match_id)
            .execution_options(synchronize_session=False)
        )
        return None if renewed is None else (renewed, until)

    async def claim(
        self, priorities: Sequence[tuple[int, int]], match_id: UUID | None = None
    ) -> tuple[UUID, datetime] | None:
        """Claims a free seat, the pairs of variants in this order; None if there is none."""
        while True:
            try:
                async with self._session.begin_nested():
                    # Concurrent requests take different seats. If all free ones are locked,
                    # another request may yet give its seat back.
                    return await self._take(priorities, match_id, waits=False) or await self._take(
                        priorities, match_id, waits=True
                    )
            except IntegrityError:
                # The same person claimed a seat of this match in another window.
                mine = await self.renew()
                if mine is not None:
                    return mine

    async def _take(
        self, priorities: Sequence[tuple[int, int]], match_id: UUID | None, *, waits: bool
    ) -> tuple[UUID, datetime] | None:
        other = aliased(VotingSeat)
        place = VotingMatch.variant_a * 1000 + VotingMatch.variant_b
        ranks = {a * 1000 + b: at for at, (a, b) in enumerate(priorities)}
        order: list[Any] = [case(ranks, value=place, else_=len(ranks))] if ranks else []
        free = (
            select(VotingSeat.id)
            .join(VotingMatch, VotingMatch.id == VotingSeat.match_id)
            .where(
                VotingMatch.round_id == self.round_id,
                _is_free(),
                ~exists().where(other.match_id == VotingMatch.id, other.user_id == self.user_id),
                ~exists().where(
                    VotingSkip.match_id == VotingMatch.id, VotingSkip.user_id == self.user_id
                ),
            )
            .order_by(*order, VotingMatch.position, VotingSeat.number)
            .limit(1)
            .with_for_update(skip_locked=not waits, of=VotingSeat)
        )
        if match_id is not None:
            free = free.where(VotingMatch.id == match_id)
        until = clock.now() + LEASE
        taken = await self._session.scalar(
            update(VotingSeat)
            .where(VotingSeat.id == free.scalar_subquery(), _is_free(), self._is_open())
            .values(user_id=self.user_id, lease_until=until)
            .returning(VotingSeat.match_id)
            .execution_options(synchronize_session=False)
        )
        return None if taken is None else (taken, until)

    async def mark_voted(self, match_id: UUID) -> bool:
        """False if the person does not hold the seat. An expired lease is accepted until another
        person claims the seat, so that no work is lost.
        """
        return await self._set(match_id, was_voted=False, is_voted=True, lease_until=None)

    async def reopen(self, match_id: UUID) -> datetime | None:
        """Claims a voted match again; None if the person has not voted on it."""
        until = clock.now() + LEASE
        done = await self._set(match_id, was_voted=True, is_voted=False, lease_until=until)
        return until if done else None

    async def release(self, match_id: UUID | None = None) -> bool:
        """Frees the claimed match, or any claimed match of the round."""
        own = VotingSeat.match_id == match_id
        if match_id is None:
            own = VotingSeat.match_id.in_(self._matches())
        released = await self._session.scalar(
            update(VotingSeat)
            .where(
                own,
                VotingSeat.user_id == self.user_id,
                VotingSeat.is_voted.is_(False),
                self._is_open(),
            )
            .values(user_id=None, lease_until=None)
            .returning(VotingSeat.id)
            .execution_options(synchronize_session=False)
        )
        return released is not None

    async def _set(self, match_id: UUID, *, was_voted: bool, **values: Any) -> bool:
        changed = await self._session.scalar(
            update(VotingSeat)
            .where(
                VotingSeat.match_id == match_id,
                VotingSeat.user_id == self.user_id,
                VotingSeat.is_voted.is_(was_voted),
                self._is_open(),
            )
            .values(**values)
            .returning(VotingSeat.id)
            .execution_options(synchronize_session=False)
        )
        return changed is not None

    async def add_vote(
        self, match_id: UUID, *, turn: int, choice: VoteChoice, shown_first: str
    ) -> bool:
        """False if the person has voted on it in this turn."""
        added = await self._session.scalar(
            upsert.insert(self._session, Vote)
            .values(
                id=ids.new_id(),
                match_id=match_id,
                user_id=self.user_id,
                turn=turn,
                choice=choice,
                shown_first=shown_first,
                created_at=clock.now(),
            )
            .on_conflict_do_nothing()
            .returning(Vote.id)
        )
        return added is not None

    async def list_own(self) -> Sequence[tuple[UUID, int, datetime]]:
        """The person's votes: match, turn and time, in order."""
        rows = await self._session.execute(
            select(Vote.match_id, Vote.turn, Vote.created_at)
            .where(Vote.match_id.in_(self._matches()), Vote.user_id == self.user_id)
            .order_by(Vote.created_at, Vote.id)
        )
        return [(match_id, turn, at) for match_id, turn, at in rows]

    async def find_last_skip(self) -> tuple[UUID, datetime] | None:
        row = (
            await self._session.execute(
                select(VotingSkip.match_id, VotingSkip.created_at)
                .where(VotingSkip.match_id.in_(self._matches()), VotingSkip.user_id == self.user_id)
                .order_by(VotingSkip.created_at.desc(), VotingSkip.match_id.desc())
                .limit(1)
            )
        ).first()
        return None if row is None else (row[0], row[1])

    async def remove_vote(self, match_id: UUID, turn: int) -> None:
        await self._session.execute(
            delete(Vote)
            .where(Vote.match_id == match_id, Vote.user_id == self.user_id, Vote.turn == turn)
            .execution_options(synchronize_session=False)
        )

    async def skip(self, match_id: UUID) -> None:
        await self._session.execute(
            upsert.insert(self._session, VotingSkip)
            .values(match_id=match_id, user_id=self.user_id, created_at=clock.now())
            .on_conflict_do_nothing()
        )

    async def unskip(self, match_id: UUID) -> None:
        await self._session.execute(
            delete(VotingSkip)
            .where(VotingSkip.match_id == match_id, VotingSkip.user_id == self.user_id)
            .execution_options(synchronize_session=False)
        )

    async def list_matches(self) -> Sequence[UUID]:
        return (await self._session.scalars(self._matches())).all()

    async def list_waiting(self, match_ids: Sequence[UUID]) -> list[UUID]:
        """Those of these matches on which the person voted once and that were not skipped since,
        in the order of the votes.
        """
        again = aliased(Vote)
        found: list[tuple[datetime, UUID]] = []
        for start in range(0, len(match_ids), _AT_ONCE):
            rows = await self._session.execute(
                select(Vote.created_at, Vote.match_id).where(
                    Vote.match_id.in_(match_ids[start : start + _AT_ONCE]),
                    Vote.user_id == self.user_id,
                    Vote.turn == 1,
                    ~exists().where(
                        again.match_id == Vote.match_id,
                        again.user_id == self.user_id,
                        again.turn == 2,
                    ),
                    ~exists().where(
                        VotingSkip.match_id == Vote.match_id, VotingSkip.user_id == self.user_id
                    ),
                )
            )
            found += [(at, match_id) for at, match_id in rows]
        return [match_id for _, match_id in sorted(found)]

    async def list_newest(self, count: int) -> set[UUID]:
        """The matches of the person's newest votes."""
        found = await self._session.scalars(
            select(Vote.match_id)
            .where(Vote.match_id.in_(self._matches()), Vote.user_id == self.user_id)
            .order_by(Vote.created_at.desc(), Vote.id.desc())
            .limit(count)
        )
        return set(found)

    def _matches(self) -> Any:
        return select(VotingMatch.id).where(VotingMatch.round_id == self.round_id)

    def _is_open(self) -> ColumnElement[bool]:
        return exists().where(
            VotingRound.id == self.round_id, VotingRound.state == VotingState.OPEN
        )


def open_for(user_id: UUID) -> tuple[Any, ...]:
    """Matches that the person can claim or has claimed, and has neither skipped nor voted on."""
    is_mine = VotingSeat.user_id == user_id
    return (
        exists().where(
            VotingSeat.match_id == VotingMatch.id,
            or_(_is_free(), VotingSeat.is_voted.is_(False) & is_mine),
        ),
        ~exists().where(VotingSeat.match_id == VotingMatch.id, is_mine, VotingSeat.is_voted),
        ~exists().where(VotingSkip.match_id == VotingMatch.id, VotingSkip.user_id == user_id),
    )


def _is_free() -> Any:
    """A seat without a person, or with an expired lease."""
    return VotingSeat.is_voted.is_(False) & or_(
        VotingSeat.user_id.is_(None), VotingSeat.lease_until <= clock.now()
    )
