"""All SQL about annotation queues: content and progress."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from sqlalchemy import (
    Integer,
    Select,
    case,
    cast,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice, Sorting, contains, paginate
from edison.kit import clock, ids
from edison.kit.errors import NotFound
from edison.runs.scoring.models import (
    AnnotationAssignee,
    AnnotationItem,
    AnnotationQueue,
    AnnotationSeat,
    AnnotationSkip,
)
from edison.runs.scoring.sample import SampleCandidate
from edison.runs.scoring.schemas.queues import AnnotationProgress
from edison.runs.scoring.states import AnnotationQueueState
from edison.runs.store.models import Output, Run, RunScorer, Score
from edison.workspace.accounts.models import User
from edison.workspace.projects.models import ProjectMember

_SORTING = Sorting(
    columns={"created_at": AnnotationQueue.created_at, "name": AnnotationQueue.name},
    default="-created_at",
    id=AnnotationQueue.id,
)
NO_PROGRESS = AnnotationProgress(
    items=0,
    done_items=0,
    answers=0,
    wanted_answers=0,
    my_answers=0,
    my_skips=0,
    left_for_me=0,
)
Person = tuple[UUID, str]


class OpenQueue(NamedTuple):
    """`left_for_me` are the outputs that a person can still score."""

    id: UUID
    name: str
    created_at: datetime
    left_for_me: int


class Queues:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def count_runs(self, project_id: UUID, run_ids: Collection[UUID]) -> int:
        """How many of these runs belong to the project."""
        found = await self._session.scalar(
            select(func.count()).where(Run.project_id == project_id, Run.id.in_(run_ids))
        )
        return int(found or 0)

    async def list_candidates(
        self, run_ids: Collection[UUID], *, is_unscored_only: bool
    ) -> list[SampleCandidate]:
        """Every output with an answer, with the spread and margin of its scores."""
        margin = func.abs(Score.value - func.coalesce(RunScorer.threshold, 0.5))
        flags = func.max(case((Score.flag.is_not(None), 1), else_=0))
        statement: Select[*tuple[Any, ...]] = (
            select(
                Output.id, func.max(Score.value) - func.min(Score.value), func.min(margin), flags
            )
            .outerjoin(Score, Score.output_id == Output.id)
            .outerjoin(
                RunScorer,
                (RunScorer.run_id == Score.run_id) & (RunScorer.position == Score.scorer_position),
            )
            .where(
                Output.run_id.in_(run_ids),
                Output.status != "error",
                Output.text.is_not(None),
                Output.is_wanted_again.is_(False),
            )
        )
        if is_unscored_only:
            statement = statement.where(Output.human_value.is_(None))
        found = await self._session.execute(statement.group_by(Output.id))
        return [
            SampleCandidate(output_id=id_, spread=spread, margin=nearest, is_flagged=bool(flagged))
            for id_, spread, nearest, flagged in found
        ]

    async def list_judge_spreads(self, run_ids: Collection[UUID]) -> Mapping[UUID, float]:
        """The spread between the judges of a panel, by output; the largest over several panels."""
        found = await self._session.stream(
            select(Score.output_id, Score.judges)
            .where(Score.run_id.in_(run_ids), Score.judges.is_not(None))
            .execution_options(yield_per=1000)
        )
        spreads: dict[UUID, float] = {}
        async for output_id, judges in found:
            # A flagged judge gave no verdict.
            values = [each["value"] for each in judges.values() if each["flag"] is None]
            if values:
                spread = max(values) - min(values)
                spreads[output_id] = max(spread, spreads.get(output_id, 0.0))
        return spreads

    async def list_annotators(self, project_id: UUID, user_ids: Collection[UUID]) -> set[UUID]:
        """The users among `user_ids` who may score in the project."""
        found = await self._session.scalars(
            select(ProjectMember.user_id).where(
                ProjectMember.project_id == project_id,
                ProjectMember.user_id.in_(user_ids),
                ProjectMember.role != "VIEWER",
            )
        )
        return set(found.all())

    async def add(
        self,
        queue: AnnotationQueue,
        *,
        output_ids: Sequence[UUID],
        assignee_ids: Sequence[UUID],
    ) -> None:
        self._session.add(queue)
        await self._session.flush()
        items = [
            {"id": ids.new_id(), "queue_id": queue.id, "output_id": output_id, "position": at}
            for at, output_id in enumerate(output_ids)
        ]
        seats = [
            {"id": ids.new_id(), "item_id": item["id"], "number": number, "is_scored": False}
            for item in items
            for number in range(queue.overlap)
        ]
        people = [{"queue_id": queue.id, "user_id": user_id} for user_id in assignee_ids]
        for table, rows in (
            (AnnotationItem, items),
            (AnnotationSeat, seats),
            (AnnotationAssignee, people),
        ):
            if rows:
                await self._session.execute(insert(table), rows)

    async def list_of_project(
        self, project_id: UUID, *, state: AnnotationQueueState | None, page: PageRequest
    ) -> Slice[tuple[AnnotationQueue, str | None, str | None]]:
        """Queues with the email and name of their authors."""
        statement = (
            select(AnnotationQueue, User.email, User.name)
            .outerjoin(User, User.id == AnnotationQueue.author_id)
            .where(AnnotationQueue.project_id == project_id)
        )
        if page.q is not None:
            statement = statement.where(contains(AnnotationQueue.name, page.q))
        if state is not None:
            statement = statement.where(AnnotationQueue.state == state)
        return await paginate(self._session, statement, page=page, sorting=_SORTING)

    async def get(
        self, project_id: UUID, queue_id: UUID
    ) -> tuple[AnnotationQueue, str | None, str | None]:
        row = (
            await self._session.execute(
                select(AnnotationQueue, User.email, User.name)
                .outerjoin(User, User.id == AnnotationQueue.author_id)
                .where(AnnotationQueue.project_id == project_id, AnnotationQueue.id == queue_id)
                .execution_options(populate_existing=True)
            )
        ).first()
        if row is None:
            raise NotFound("There is no such queue.")
        return row[0], row[1], row[2]

    async def change(self, queue_id: UUID, values: dict[str, Any]) -> None:
        await self._session.execute(
            update(AnnotationQueue)
            .where(AnnotationQueue.id == queue_id)
            .values(updated_at=clock.now(), **values)
            .execution_options(synchronize_session=False)
        )

    async def change_state(
        self, queue_id: UUID, old: AnnotationQueueState, new: AnnotationQueueState
    ) -> bool:
        """False if it is no longer in the old state."""
        changed = await self._session.scalar(
            update(AnnotationQueue)
            .where(AnnotationQueue.id == queue_id, AnnotationQueue.state == old)
            .values(state=new, updated_at=clock.now())
            .returning(AnnotationQueue.id)
            .execution_options(synchronize_session=False)
        )
        return changed is not None

    async def remove(self, queue_id: UUID) -> None:
        await self._session.execute(delete(AnnotationQueue).where(AnnotationQueue.id == queue_id))

    async def list_assignees(self, queue_ids: Collection[UUID]) -> Mapping[UUID, list[Person]]:
        found = await self._session.execute(
            select(AnnotationAssignee.queue_id, User.id, User.email, User.name)
            .join(User, User.id == AnnotationAssignee.user_id)
            .where(AnnotationAssignee.queue_id.in_(queue_ids))
            .order_by(User.email)
        )
        people: dict[UUID, list[Person]] = defaultdict(list)
        for queue_id, user_id, email, name in found:
            people[queue_id].append((user_id, name or email))
        return people

    async def count_progress(
        self, queue_ids: Collection[UUID], *, user_id: UUID
    ) -> Mapping[UUID, AnnotationProgress]:
        """Progress of each queue, overall and for this user."""
        seats = await self._session.execute(_count_seats(queue_ids, user_id))
        done = await self._count(
            _items(queue_ids).where(
                ~exists().where(
                    AnnotationSeat.item_id == AnnotationItem.id,
                    AnnotationSeat.is_scored.is_(False),
                )
            )
        )
        left = await self._count(_items(queue_ids).where(*open_for(user_id)))
        skips = await self._count(
            _items(queue_ids).join(
                AnnotationSkip,
                (AnnotationSkip.item_id == AnnotationItem.id) & (AnnotationSkip.user_id == user_id),
            )
        )
        return {
            queue_id: AnnotationProgress(
                items=items,
                done_items=done.get(queue_id, 0),
                answers=int(answers or 0),
                wanted_answers=wanted,
                my_answers=int(mine or 0),
                my_skips=skips.get(queue_id, 0),
                left_for_me=left.get(queue_id, 0),
            )
            for queue_id, items, wanted, answers, mine in seats
        }

    async def list_left(self, project_id: UUID, user_id: UUID) -> list[OpenQueue]:
        """Open queues with outputs left for this person, the newest first. A queue without
        assignees is open to all members.
        """
        queue = AnnotationQueue
        assigned = exists().where(AnnotationAssignee.queue_id == queue.id)
        rows = await self._session.execute(
            select(queue.id, queue.name, queue.created_at, func.count())
            .join(AnnotationItem, AnnotationItem.queue_id == queue.id)
            .where(
                queue.project_id == project_id,
                queue.state == AnnotationQueueState.OPEN,
                or_(~assigned, assigned.where(AnnotationAssignee.user_id == user_id)),
                *open_for(user_id),
            )
            .group_by(queue.id, queue.name, queue.created_at)
            .order_by(queue.created_at.desc())
        )
        return [OpenQueue(*row) for row in rows]

    async def _count(self, statement: Select[*tuple[Any, ...]]) -> Mapping[UUID, int]:
        found = await self._session.execute(statement.group_by(AnnotationItem.queue_id))
        return {queue_id: number for queue_id, number in found}


def _items(queue_ids: Collection[UUID]) -> Select[*tuple[Any, ...]]:
    return select(AnnotationItem.queue_id, func.count()).where(
        AnnotationItem.queue_id.in_(queue_ids)
    )


def _count_seats(queue_ids: Collection[UUID], user_id: UUID) -> Select[*tuple[Any, ...]]:
    is_mine = AnnotationSeat.is_scored & (AnnotationSeat.user_id == user_id)
    return (
        select(
            AnnotationItem.queue_id,
            func.count(AnnotationItem.id.distinct()),
            func.count(),
            func.sum(cast(AnnotationSeat.is_scored, Integer)),
            func.sum(case((is_mine, 1), else_=0)),
        )
        .join(AnnotationSeat, AnnotationSeat.item_id == AnnotationItem.id)
        .where(AnnotationItem.queue_id.in_(queue_ids))
        .group_by(AnnotationItem.queue_id)
    )


def is_free() -> Any:
    """A seat without a user, or with an expired lease."""
    return AnnotationSeat.is_scored.is_(False) & or_(
        AnnotationSeat.user_id.is_(None), AnnotationSeat.lease_until <= clock.now()
    )


def open_for(user_id: UUID) -> tuple[Any, ...]:
    """Items that the user can claim or has claimed, and has neither skipped nor scored."""
    is_mine = AnnotationSeat.user_id == user_id
    return (
        exists().where(
            AnnotationSeat.item_id == AnnotationItem.id,
            or_(is_free(), AnnotationSeat.is_scored.is_(False) & is_mine),
        ),
        ~exists().where(
            AnnotationSeat.item_id == AnnotationItem.id, is_mine, AnnotationSeat.is_scored
        ),
        ~exists().where(
            AnnotationSkip.item_id == AnnotationItem.id, AnnotationSkip.user_id == user_id
        ),
    )
