"""All SQL about rounds and their matches."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from sqlalchemy import and_, delete, func, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from edison.api.pagination import PageRequest, Slice, Sorting, contains, paginate
from edison.kit import clock, ids
from edison.kit.errors import NotFound
from edison.library.models.models import Model
from edison.runs.store.models import Comparison, Output, Run, RunCase, RunVariant
from edison.runs.voting.models import Vote, VotingMatch, VotingRound, VotingSeat
from edison.runs.voting.pair_order import PairCandidate
from edison.runs.voting.repository.seats import open_for
from edison.runs.voting.states import VotingState
from edison.workspace.accounts.models import User

_SORTING = Sorting(
    columns={"created_at": VotingRound.created_at, "name": VotingRound.name},
    default="-created_at",
    id=VotingRound.id,
)
_AT_ONCE = 500


class RoundCounts(NamedTuple):
    matches: int = 0
    seats: int = 0
    votes: int = 0
    mine: int = 0


class OpenRound(NamedTuple):
    """`left_for_me` are the pairs that a person can still vote on."""

    id: UUID
    name: str
    created_at: datetime
    left_for_me: int


class Rounds:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def find_run(self, project_id: UUID, run_id: UUID) -> Run | None:
        return await self._session.scalar(
            select(Run).where(Run.id == run_id, Run.project_id == project_id)
        )

    async def list_run_ids(self, project_id: UUID) -> Sequence[UUID]:
        found = await self._session.scalars(
            select(VotingRound.run_id).where(VotingRound.project_id == project_id)
        )
        return found.all()

    async def list_variants(self, run_id: UUID) -> Sequence[RunVariant]:
        found = await self._session.scalars(
            select(RunVariant).where(RunVariant.run_id == run_id).order_by(RunVariant.position)
        )
        return found.all()

    async def find_provider_models(self, model_ids: Collection[UUID]) -> Mapping[UUID, str]:
        rows = await self._session.execute(
            select(Model.id, Model.provider_model).where(Model.id.in_(model_ids))
        )
        return {model_id: name for model_id, name in rows}

    async def list_candidates(
        self, run_id: UUID, pairs: Collection[tuple[int, int]]
    ) -> list[PairCandidate]:
        """Pairs of readable answers to the same case, first repeats only, without the texts."""
        a, b = aliased(Output), aliased(Output)
        rows = await self._session.execute(
            select(a.case_position, a.variant_position, b.variant_position, a.id, b.id)
            .join(
                b,
                and_(
                    b.run_id == a.run_id,
                    b.case_position == a.case_position,
                    b.variant_position > a.variant_position,
                ),
            )
            .where(a.run_id == run_id, *_readable(a), *_readable(b))
            .order_by(a.case_position, a.variant_position, b.variant_position)
        )
        return [PairCandidate(*row) for row in rows if (row[1], row[2]) in pairs]

    async def find_texts(self, output_ids: Collection[UUID]) -> dict[UUID, str]:
        wanted, found = list(output_ids), dict[UUID, str]()
        for start in range(0, len(wanted), _AT_ONCE):
            rows = await self._session.execute(
                select(Output.id, Output.text).where(
                    Output.id.in_(wanted[start : start + _AT_ONCE])
                )
            )
            found |= {output_id: text or "" for output_id, text in rows}
        return found

    async def find_inputs(self, run_id: UUID, cases: Collection[int]) -> dict[int, dict[str, Any]]:
        wanted, found = list(cases), dict[int, dict[str, Any]]()
        for start in range(0, len(wanted), _AT_ONCE):
            rows = await self._session.execute(
                select(RunCase.position, RunCase.inputs).where(
                    RunCase.run_id == run_id,
                    RunCase.position.in_(wanted[start : start + _AT_ONCE]),
                )
            )
            found |= {position: inputs for position, inputs in rows}
        return found

    async def add(self, made: VotingRound, matches: Sequence[PairCandidate]) -> None:
        self._session.add(made)
        await self._session.flush()
        rows = [
            {"id": ids.new_id(), "round_id": made.id, "position": at, **each._asdict()}
            for at, each in enumerate(matches)
        ]
        await self._session.execute(insert(VotingMatch), rows)
        seats = [
            {"id": ids.new_id(), "match_id": row["id"], "number": number, "is_voted": False}
            for row in rows
            for number in range(made.people_per_match)
        ]
        await self._session.execute(insert(VotingSeat), seats)

    async def get(self, project_id: UUID, round_id: UUID) -> VotingRound:
        found = await self._session.scalar(
            select(VotingRound)
            .where(VotingRound.id == round_id, VotingRound.project_id == project_id)
            .execution_options(populate_existing=True)
        )
        if found is None:
            raise NotFound("There is no such round.")
        return found

    async def page(self, project_id: UUID, page: PageRequest) -> Slice[VotingRound]:
        statement = select(VotingRound).where(VotingRound.project_id == project_id)
        if page.q is not None:
            statement = statement.where(contains(VotingRound.name, page.q))
        return await paginate(self._session, statement, page=page, sorting=_SORTING)

    async def count(self, round_ids: Collection[UUID], user_id: UUID) -> Mapping[UUID, RoundCounts]:
        seats = await self._session.execute(
            select(
                VotingMatch.round_id,
                func.count(VotingMatch.id.distinct()),
                func.count(VotingSeat.id),
                func.count().filter(VotingSeat.is_voted),
            )
            .join(VotingSeat, VotingSeat.match_id == VotingMatch.id)
            .where(VotingMatch.round_id.in_(round_ids))
            .group_by(VotingMatch.round_id)
        )
        mine = await self._session.execute(
            select(VotingMatch.round_id, func.count())
            .join(Vote, Vote.match_id == VotingMatch.id)
            .where(VotingMatch.round_id.in_(round_ids), Vote.user_id == user_id, Vote.turn == 1)
            .group_by(VotingMatch.round_id)
        )
        own = {round_id: count for round_id, count in mine}
        return {
            round_id: RoundCounts(matches, number, voted, own.get(round_id, 0))
            for round_id, matches, number, voted in seats
        }

    async def list_left(self, project_id: UUID, user_id: UUID) -> list[OpenRound]:
        """Open rounds with pairs left for this person, the newest first."""
        rows = await self._session.execute(
            select(VotingRound.id, VotingRound.name, VotingRound.created_at, func.count())
            .join(VotingMatch, VotingMatch.round_id == VotingRound.id)
            .where(
                VotingRound.project_id == project_id,
                VotingRound.state == VotingState.OPEN,
                *open_for(user_id),
            )
            .group_by(VotingRound.id, VotingRound.name, VotingRound.created_at)
            .order_by(VotingRound.created_at.desc())
        )
        return [OpenRound(*row) for row in rows]

    async def close(self, round_id: UUID) -> bool:
        """False if it is closed already."""
        closed = await self._session.scalar(
            update(VotingRound)
            .where(VotingRound.id == round_id, VotingRound.state == VotingState.OPEN)
            .values(state=VotingState.CLOSED, closed_at=clock.now())
            .returning(VotingRound.id)
            .execution_options(synchronize_session=False)
        )
        return closed is not None

    async def remove(self, round_id: UUID) -> None:
        await self._session.execute(delete(VotingRound).where(VotingRound.id == round_id))

    async def list_judged(self, round_: VotingRound) -> Mapping[tuple[int, int, int], str]:
        """Preferences of the run's pairwise judges by case, variant a and variant b; the first
        comparer and repeat.
        """
        rows = await self._session.execute(
            select(
                Comparison.case_position,
                Comparison.variant_a,
                Comparison.variant_b,
                Comparison.preference,
            ).where(
                Comparison.run_id == round_.run_id,
                Comparison.comparer_position == 0,
                Comparison.repeat == 0,
                Comparison.preference.is_not(None),
            )
        )
        return {(case, a, b): preference or "tie" for case, a, b, preference in rows}

    async def find_people(self, user_ids: Collection[UUID]) -> Mapping[UUID, str]:
        rows = await self._session.execute(
            select(User.id, User.name, User.email).where(User.id.in_(user_ids))
        )
        return {user_id: name or email for user_id, name, email in rows}

    async def drop_matches(self, output_ids: Collection[UUID]) -> None:
        """Deletes the matches of these outputs with their votes."""
        await self._session.execute(
            delete(VotingMatch)
            .where(
                or_(
                    VotingMatch.output_a_id.in_(output_ids),
                    VotingMatch.output_b_id.in_(output_ids),
                )
            )
            .execution_options(synchronize_session=False)
        )


def _readable(output: Any) -> tuple[Any, ...]:
    return output.status == "ok", output.repeat == 0, output.is_wanted_again.is_(False)
