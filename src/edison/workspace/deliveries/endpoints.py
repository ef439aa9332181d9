"""Routes for the destinations of a project and the log of their deliveries."""

from typing import Annotated
from uuid import UUID

from fastapi import Depends, Request, status

from edison.api.parameters import PageParams
from edison.api.routing import api_router
from edison.api.schema import Page
from edison.api.session import CurrentDatabase, Session, settings_of
from edison.workspace.deliveries import service
from edison.workspace.deliveries.models import Delivery, Destination
from edison.workspace.deliveries.schemas import (
    ChannelRead,
    DeliveryRead,
    DeliveryStateParam,
    DestinationChange,
    DestinationRead,
    DestinationRequest,
    DestinationSaved,
    RotatedSecret,
)
from edison.workspace.deliveries.transport import Transport
from edison.workspace.projects.access import Admin, AdminWithoutTransaction

router = api_router("/projects/{project}/destinations", tag="destinations")


async def get_transport(request: Request) -> Transport:
    return Transport.of(request.app.state.vault, settings_of(request))


CurrentTransport = Annotated[Transport, Depends(get_transport)]


@router.get("", response_model=Page[DestinationRead])
async def list_destinations(member: Admin, page: PageParams, session: Session) -> object:
    """Lists where the project sends messages, without secrets."""
    return await service.list_destinations(session, project_id=member.project_id, page=page)


@router.get("/channels")
async def list_destination_channels(member: Admin) -> Page[ChannelRead]:
    """Lists the channels that destinations can use."""
    items = service.list_channels()
    return Page(items=items, next=None, total=len(items))


@router.post("", status_code=status.HTTP_201_CREATED)
async def create_destination(
    body: DestinationRequest, member: Admin, session: Session, transport: CurrentTransport
) -> DestinationSaved:
    """Adds a destination. The response has the signing secret of a webhook, which is not shown
    again.
    """
    return await service.create_destination(
        session, project_id=member.project_id, wanted=body, transport=transport
    )


@router.patch("/{destination_id}")
async def change_destination(
    destination_id: UUID,
    body: DestinationChange,
    member: Admin,
    session: Session,
    transport: CurrentTransport,
) -> DestinationSaved:
    """Changes a destination. An address on another host gets a new signing secret."""
    return await service.change_destination(
        session,
        project_id=member.project_id,
        destination_id=destination_id,
        change=body,
        transport=transport,
    )


@router.delete("/{destination_id}", status_code=status.HTTP_204_NO_CONTENT)
async def delete_destination(destination_id: UUID, member: Admin, session: Session) -> None:
    """Deletes a destination and its log."""
    await service.delete_destination(
        session, project_id=member.project_id, destination_id=destination_id
    )


@router.post("/{destination_id}/test", response_model=DeliveryRead)
async def test_destination(
    destination_id: UUID,
    member: AdminWithoutTransaction,
    database: CurrentDatabase,
    transport: CurrentTransport,
) -> Delivery:
    """Sends a test message and returns its result. It is attempted once."""
    return await service.test_destination(
        database, transport, project_id=member.project_id, destination_id=destination_id
    )


@router.post("/{destination_id}/rotate")
async def rotate_destination_secret(
    destination_id: UUID, member: Admin, session: Session, transport: CurrentTransport
) -> RotatedSecret:
    """Replaces the signing secret of a webhook. For 24 hours, messages carry the signatures of the
    new and of the previous secret.
    """
    return await service.rotate_secret(
        session, project_id=member.project_id, destination_id=destination_id, transport=transport
    )


@router.post("/{destination_id}/enable", response_model=DestinationRead)
async def enable_destination(destination_id: UUID, member: Admin, session: Session) -> Destination:
    """Enables a destination that is off."""
    return await service.set_enabled(
        session, project_id=member.project_id, destination_id=destination_id, is_enabled=True
    )


@router.post("/{destination_id}/disable", response_model=DestinationRead)
async def disable_destination(destination_id: UUID, member: Admin, session: Session) -> Destination:
    """Switches a destination off and cancels its waiting messages."""
    return await service.set_enabled(
        session, project_id=member.project_id, destination_id=destination_id, is_enabled=False
    )


@router.get("/{destination_id}/deliveries", response_model=Page[DeliveryRead])
async def list_deliveries(
    destination_id: UUID,
    member: Admin,
    page: PageParams,
    session: Session,
    state: DeliveryStateParam = None,
) -> object:
    """Lists the messages to a destination, newest first. The log has 30 days."""
    return await service.list_deliveries(
        session,
        project_id=member.project_id,
        destination_id=destination_id,
        state=state,
        page=page,
    )


@router.post("/{destination_id}/deliveries/{delivery_id}/redeliver", response_model=DeliveryRead)
async def redeliver(
    destination_id: UUID, delivery_id: UUID, member: Admin, session: Session
) -> Delivery:
    """Sends a message again, with the same id."""
    return await service.redeliver(
        session,
        project_id=member.project_id,
        destination_id=destination_id,
        delivery_id=delivery_id,
    )
