"""Destinations of a project: where it sends messages, and the log of what it sent.

Addresses and secrets are sealed at rest and never returned, except a new secret, once.
"""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice
from edison.db.session import Database
from edison.jobs import job as jobs
from edison.kit import clock, ids
from edison.kit.errors import FieldProblem, Invalid
from edison.pipeline.generate.addresses import AddressRefused
from edison.workspace.audit import service as audit
from edison.workspace.deliveries import dispatch, seals
from edison.workspace.deliveries.channel import channel_keys, load_channel
from edison.workspace.deliveries.errors import (
    AttemptInProgress,
    DestinationOff,
    DuplicateDestination,
    NotSigned,
    TooManyDestinations,
)
from edison.workspace.deliveries.message import TEST_KIND, sample_payload
from edison.workspace.deliveries.models import Delivery, Destination
from edison.workspace.deliveries.repository import Deliveries, Destinations
from edison.workspace.deliveries.schemas import (
    ChannelRead,
    DestinationChange,
    DestinationRead,
    DestinationRequest,
    DestinationSaved,
    RotatedSecret,
)
from edison.workspace.deliveries.states import DeliveryState, DisabledReason
from edison.workspace.deliveries.transport import Transport

MOST_DESTINATIONS = 50


def list_channels() -> list[ChannelRead]:
    found = [(key, load_channel(key)) for key in channel_keys()]
    return [
        ChannelRead(key=key, title=channel.title, is_signed=channel.is_signed)
        for key, channel in found
    ]


async def list_destinations(
    session: AsyncSession, *, project_id: UUID, page: PageRequest
) -> Slice[Destination]:
    return await Destinations(session).page_of(project_id, page=page)


async def create_destination(
    session: AsyncSession, *, project_id: UUID, wanted: DestinationRequest, transport: Transport
) -> DestinationSaved:
    destinations = Destinations(session)
    if await destinations.has_name(project_id, wanted.name):
        raise DuplicateDestination
    if await destinations.count(project_id) >= MOST_DESTINATIONS:
        raise TooManyDestinations(MOST_DESTINATIONS)
    now = clock.now()
    destination = Destination(
        id=ids.new_id(),
        project_id=project_id,
        channel=wanted.channel,
        name=wanted.name,
        target="",
        secrets={},
        kinds=list(wanted.kinds),
        includes_content=wanted.includes_content,
        created_at=now,
        updated_at=now,
    )
    secret = _set_address(destination, wanted.address.get_secret_value(), transport)
    session.add(destination)
    await _note(session, destination, "destination.created", after=_described(destination))
    return _saved(destination, secret)


async def change_destination(
    session: AsyncSession,
    *,
    project_id: UUID,
    destination_id: UUID,
    change: DestinationChange,
    transport: Transport,
) -> DestinationSaved:
    destinations = Destinations(session)
    destination = await destinations.get(project_id, destination_id, lock=True)
    before = _described(destination)
    if change.name is not None:
        if await destinations.has_name(project_id, change.name, but=destination_id):
            raise DuplicateDestination
        destination.name = change.name
    if change.kinds is not None:
        destination.kinds = list(change.kinds)
    if change.includes_content is not None:
        destination.includes_content = change.includes_content
    secret = None
    if change.address is not None:
        secret = _set_address(destination, change.address.get_secret_value(), transport)
    await _note(
        session,
        destination,
        "destination.changed",
        before=before,
        after={**_described(destination), "address_changed": change.address is not None},
    )
    return _saved(destination, secret)


def _set_address(destination: Destination, address: str, transport: Transport) -> str | None:
    """Seals a valid address. Returns the new signing secret if the target changed: a secret is
    never used for another host.
    """
    channel = load_channel(destination.channel)
    try:
        target = channel.read_target(address, transport)
    except (AddressRefused, ValueError) as wrong:
        problem = FieldProblem(field="address", message=str(wrong), code="address_refused")
        raise Invalid(problem) from wrong
    destination.address = seals.seal_bound(address, target, transport.keys)
    if target == destination.target:
        return None
    destination.target = target
    if not channel.is_signed:
        return None
    secret = seals.new_secret()
    destination.secrets = {"current": {"sealed": seals.seal_bound(secret, target, transport.keys)}}
    return secret


async def rotate_secret(
    session: AsyncSession, *, project_id: UUID, destination_id: UUID, transport: Transport
) -> RotatedSecret:
    """Retries in progress are signed with both secrets, too."""
    destination = await Destinations(session).get(project_id, destination_id, lock=True)
    channel = load_channel(destination.channel)
    if not channel.is_signed:
        raise NotSigned(channel.title)
    secret, now = seals.new_secret(), clock.now()
    destination.secrets = seals.rotated(
        destination.secrets, secret, destination.target, keys=transport.keys, now=now
    )
    await _note(session, destination, "destination.secret_rotated")
    return RotatedSecret(secret=secret, previous_until=now + seals.ROTATION)


async def set_enabled(
    session: AsyncSession, *, project_id: UUID, destination_id: UUID, is_enabled: bool
) -> Destination:
    """Idempotent."""
    destination = await Destinations(session).get(project_id, destination_id, lock=True)
    if destination.is_enabled == is_enabled:
        return destination
    if is_enabled:
        destination.disabled_reason = destination.disabled_at = destination.failing_since = None
        await _note(session, destination, "destination.enabled")
    else:
        await dispatch.disable(session, destination, DisabledReason.MEMBER)
        await _note(session, destination, "destination.disabled")
    return destination


async def delete_destination(
    session: AsyncSession, *, project_id: UUID, destination_id: UUID
) -> None:
    """Its log is deleted with it."""
    destination = await Destinations(session).get(project_id, destination_id, lock=True)
    await Destinations(session).remove(destination_id)
    await _note(session, destination, "destination.deleted", before=_described(destination))


async def test_destination(
    database: Database, transport: Transport, *, project_id: UUID, destination_id: UUID
) -> Delivery:
    """Send a test message now, also to a destination that is off. It is attempted once."""
    async with database.write() as session:
        destination = await Destinations(session).get(project_id, destination_id)
        now = clock.now()
        delivery = Delivery(
            id=ids.new_id(),
            project_id=project_id,
            destination_id=destination_id,
            channel=destination.channel,
            kind=TEST_KIND,
            payload=sample_payload(destination_id, project_id),
            is_test=True,
            state=DeliveryState.WAITING,
            attempts=1,
            created_at=now,
            next_attempt_at=now,
            leased_until=dispatch.lease_end(now),
            last_attempt_at=now,
        )
        session.add(delivery)
        audit.record(
            session,
            "destination.tested",
            entity=("destination", destination_id),
            project_id=project_id,
        )
        claimed = await dispatch.complete(session, delivery, destination, transport)
    result = await dispatch.attempt(claimed, transport)
    async with database.write() as session:
        await dispatch.record(session, claimed, result)
        return await Deliveries(session).get(destination_id, delivery.id)


async def list_deliveries(
    session: AsyncSession,
    *,
    project_id: UUID,
    destination_id: UUID,
    state: DeliveryState | None,
    page: PageRequest,
) -> Slice[Delivery]:
    """Newest first."""
    await Destinations(session).get(project_id, destination_id)
    return await Deliveries(session).page_of(destination_id, state=state, page=page)


async def redeliver(
    session: AsyncSession, *, project_id: UUID, destination_id: UUID, delivery_id: UUID
) -> Delivery:
    """Send the message again with the same id. After the last retry it is attempted once."""
    destination = await Destinations(session).get(project_id, destination_id)
    deliveries = Deliveries(session)
    delivery = await deliveries.get(destination_id, delivery_id)
    if not destination.is_enabled:
        raise DestinationOff
    if not await deliveries.requeue(delivery_id, now=clock.now()):
        raise AttemptInProgress
    audit.record(
        session,
        "delivery.requeued",
        entity=("destination", destination_id),
        project_id=project_id,
        after={"delivery": str(delivery_id)},
    )
    jobs.request(session, dispatch.deliver_job(destination_id))
    await session.refresh(delivery)
    return delivery


async def delete_before(session: AsyncSession, moment: datetime) -> None:
    """Deletes the log up to then, except what still waits."""
    await Deliveries(session).delete_before(moment)


def _saved(destination: Destination, secret: str | None) -> DestinationSaved:
    return DestinationSaved(destination=DestinationRead.model_validate(destination), secret=secret)


def _described(destination: Destination) -> dict[str, Any]:
    """For the audit log: neither the address nor secrets."""
    return {
        "name": destination.name,
        "channel": destination.channel,
        "target": destination.target,
        "kinds": destination.kinds,
        "includes_content": destination.includes_content,
    }


async def _note(
    session: AsyncSession, destination: Destination, action: str, **values: dict[str, Any]
) -> None:
    audit.record(
        session,
        action,
        entity=("destination", destination.id),
        project_id=destination.project_id,
        **values,
    )
    await dispatch.publish_change(session, destination)
