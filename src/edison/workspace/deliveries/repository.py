"""All SQL about destinations and deliveries."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, delete, func, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice, Sorting, contains, paginate
from edison.kit.errors import NotFound
from edison.workspace.accounts.models import User
from edison.workspace.deliveries.models import Delivery, Destination
from edison.workspace.deliveries.states import DeliveryState
from edison.workspace.projects.models import Project

_DESTINATION_SORTING = Sorting(
    columns={"name": Destination.name, "created_at": Destination.created_at},
    default="name",
    id=Destination.id,
)
_DELIVERY_SORTING = Sorting(
    columns={"created_at": Delivery.created_at}, default="-created_at", id=Delivery.id
)


class Destinations:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def page_of(self, project_id: UUID, *, page: PageRequest) -> Slice[Destination]:
        statement = select(Destination).where(Destination.project_id == project_id)
        if page.q is not None:
            statement = statement.where(contains(Destination.name, page.q))
        return await paginate(self._session, statement, page=page, sorting=_DESTINATION_SORTING)

    async def get(
        self, project_id: UUID, destination_id: UUID, *, lock: bool = False
    ) -> Destination:
        statement = select(Destination).where(
            Destination.project_id == project_id, Destination.id == destination_id
        )
        found = await self._session.scalar(statement.with_for_update() if lock else statement)
        if found is None:
            raise NotFound("There is no such destination.")
        return found

    async def find(self, destination_id: UUID, *, lock: bool = False) -> Destination | None:
        statement = select(Destination).where(Destination.id == destination_id)
        return await self._session.scalar(statement.with_for_update() if lock else statement)

    async def list_enabled(self, project_id: UUID) -> Sequence[Destination]:
        found = await self._session.scalars(
            select(Destination)
            .where(Destination.project_id == project_id, Destination.disabled_reason.is_(None))
            .order_by(Destination.id)
        )
        return found.all()

    async def count(self, project_id: UUID) -> int:
        found = await self._session.scalar(
            select(func.count()).where(Destination.project_id == project_id)
        )
        return found or 0

    async def has_name(self, project_id: UUID, name: str, *, but: UUID | None = None) -> bool:
        statement = select(Destination.id).where(
            Destination.project_id == project_id, Destination.name == name
        )
        if but is not None:
            statement = statement.where(Destination.id != but)
        return await self._session.scalar(statement) is not None

    async def remove(self, destination_id: UUID) -> None:
        await self._session.execute(delete(Destination).where(Destination.id == destination_id))


class Deliveries:
    """Deliveries of one receiver: a destination, or None for emails to users."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def add(self, rows: Sequence[dict[str, Any]]) -> None:
        if rows:
            await self._session.execute(insert(Delivery), list(rows))

    async def page_of(
        self, destination_id: UUID, *, state: DeliveryState | None, page: PageRequest
    ) -> Slice[Delivery]:
        statement = select(Delivery).where(Delivery.destination_id == destination_id)
        if state is not None:
            statement = statement.where(Delivery.state == state)
        return await paginate(self._session, statement, page=page, sorting=_DELIVERY_SORTING)

    async def get(self, destination_id: UUID, delivery_id: UUID) -> Delivery:
        found = await self._session.scalar(
            select(Delivery).where(
                Delivery.destination_id == destination_id, Delivery.id == delivery_id
            )
        )
        if found is None:
            raise NotFound("There is no such delivery.")
        return found

    async def list_due_receivers(self, now: datetime) -> Sequence[UUID | None]:
        found = await self._session.scalars(
            select(Delivery.destination_id).where(*_is_due(now)).distinct()
        )
        return found.all()

    async def claim_next(
        self, destination_id: UUID | None, *, now: datetime, until: datetime
    ) -> Delivery | None:
        """Leases a due delivery, new ones first, and counts the attempt. Each due delivery is
        leased by one process.
        """
        while True:
            found = await self._session.scalar(
                select(Delivery.id)
                .where(_is_for(destination_id), *_is_due(now))
                .order_by(Delivery.attempts, Delivery.next_attempt_at, Delivery.id)
                .limit(1)
            )
            if found is None:
                return None
            claimed = await self._session.scalar(
                update(Delivery)
                .where(Delivery.id == found, *_is_due(now))
                .values(attempts=Delivery.attempts + 1, leased_until=until, last_attempt_at=now)
                .returning(Delivery)
                .execution_options(synchronize_session=False, populate_existing=True)
            )
            if claimed is not None:
                return claimed

    async def record_attempt(
        self, delivery_id: UUID, *, attempt: int, values: dict[str, Any]
    ) -> bool:
        """False when the lease ended and another process attempted the delivery since."""
        recorded = await self._session.scalar(
            update(Delivery)
            .where(
                Delivery.id == delivery_id,
                Delivery.attempts == attempt,
                Delivery.state == DeliveryState.WAITING,
            )
            .values(leased_until=None, **values)
            .returning(Delivery.id)
            .execution_options(synchronize_session=False)
        )
        return recorded is not None

    async def requeue(self, delivery_id: UUID, *, now: datetime) -> bool:
        """False while an attempt is in progress."""
        queued = await self._session.scalar(
            update(Delivery)
            .where(Delivery.id == delivery_id, _is_free(now))
            .values(
                state=DeliveryState.WAITING,
                next_attempt_at=now,
                leased_until=None,
                delivered_at=None,
            )
            .returning(Delivery.id)
            .execution_options(synchronize_session=False)
        )
        return queued is not None

    async def cancel_waiting(self, destination_id: UUID | None, *, failure: str) -> int:
        cancelled = await self._session.scalars(
            update(Delivery)
            .where(_is_for(destination_id), Delivery.state == DeliveryState.WAITING)
            .values(
                state=DeliveryState.CANCELLED,
                failure=failure,
                next_attempt_at=None,
                leased_until=None,
            )
            .returning(Delivery.id)
            .execution_options(synchronize_session=False)
        )
        return len(cancelled.all())

    async def find_project_name(self, project_id: UUID) -> str:
        found = await self._session.scalar(select(Project.name).where(Project.id == project_id))
        return found or ""

    async def find_email(self, user_id: UUID) -> str | None:
        return await self._session.scalar(select(User.email).where(User.id == user_id))

    async def delete_before(self, moment: datetime) -> None:
        await self._session.execute(
            delete(Delivery).where(
                Delivery.created_at < moment, Delivery.state != DeliveryState.WAITING
            )
        )


def _is_for(destination_id: UUID | None) -> ColumnElement[bool]:
    if destination_id is None:
        return Delivery.destination_id.is_(None)
    return Delivery.destination_id == destination_id


def _is_free(now: datetime) -> ColumnElement[bool]:
    return or_(Delivery.leased_until.is_(None), Delivery.leased_until <= now)


def _is_due(now: datetime) -> tuple[ColumnElement[bool], ...]:
    return (
        Delivery.state == DeliveryState.WAITING,
        Delivery.next_attempt_at <= now,
        _is_free(now),
    )
