"""Sends what is due: lease a delivery, attempt it, record the result.

The lease is committed before the attempt and the result after it, so no transaction is open during
a request. If the process dies in between, the lease ends and another process repeats the delivery
with the same id: at least once.
"""

import asyncio
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import structlog
from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.session import Database
from edison.jobs import job as jobs
from edison.jobs.job import Job
from edison.kit import clock, ids
from edison.kit.lazy_dataclasses import dataclass
from edison.workspace.audit import service as audit
from edison.workspace.deliveries.channel import Recipient, SendResult, load_channel
from edison.workspace.deliveries.errors import AddressUnreadable
from edison.workspace.deliveries.message import DeliveryMessage, message_of, payload_of
from edison.workspace.deliveries.models import Delivery, Destination
from edison.workspace.deliveries.notifications import notify_disabled
from edison.workspace.deliveries.repository import Deliveries, Destinations
from edison.workspace.deliveries.schedule import MOST_FAILING, retry_delay
from edison.workspace.deliveries.seals import open_recipient
from edison.workspace.deliveries.states import DeliveryState, DisabledReason
from edison.workspace.deliveries.transport import Transport
from edison.workspace.events import service as events
from edison.workspace.notifications.schemas import News

log = structlog.get_logger(__name__)

TASK = "deliver_messages"
# Longer than an attempt, so that a lease ends only after its process has.
LEASE_SECONDS = 60.0
_ATTEMPT_SECONDS = 30
_EMAIL = "email"
_DISABLED = "The destination was switched off."
_NO_MAIL_SERVER = "No mail server is configured."


@dataclass(frozen=True, slots=True, kw_only=True)
class Claimed:
    """A leased delivery with all that an attempt needs, read in the transaction of the lease."""

    delivery: Delivery
    message: DeliveryMessage
    destination: Destination | None
    recipient: Recipient | None


async def enqueue(session: AsyncSession, news: News, by_email: Sequence[UUID]) -> None:
    """Listens to `on_notified`: stores a delivery per user and per subscribed destination."""
    found = await Destinations(session).list_enabled(news.project_id)
    subscribed = [each for each in found if news.kind.key in each.kinds]
    usual = payload_of(news, includes_content=False)
    rows = [
        _row(news, channel=_EMAIL, user_id=user_id, destination_id=None, payload=usual)
        for user_id in by_email
    ]
    rows += [
        _row(
            news,
            channel=each.channel,
            user_id=None,
            destination_id=each.id,
            payload=payload_of(news, includes_content=each.includes_content),
        )
        for each in subscribed
    ]
    await Deliveries(session).add(rows)
    for receiver in {row["destination_id"] for row in rows}:
        jobs.request(session, deliver_job(receiver))


def _row(news: News, **receiver: Any) -> dict[str, Any]:
    now = clock.now()
    return {
        "id": ids.new_id(),
        "project_id": news.project_id,
        "kind": news.kind.key,
        "state": DeliveryState.WAITING,
        "attempts": 0,
        "is_test": False,
        "created_at": now,
        "next_attempt_at": now,
        **receiver,
    }


def lease_end(now: datetime) -> datetime:
    return now + timedelta(seconds=LEASE_SECONDS)


def deliver_job(destination_id: UUID | None) -> Job:
    """One job per receiver: a slow receiver delays only its own messages."""
    receiver = None if destination_id is None else str(destination_id)
    return Job(task=TASK, key=f"{TASK}:{receiver or 'users'}", payload={"destination_id": receiver})


async def list_missing_jobs(session: AsyncSession) -> Sequence[Job]:
    """For the sweep: receivers with due deliveries."""
    due = await Deliveries(session).list_due_receivers(clock.now())
    return [deliver_job(receiver) for receiver in due]


async def deliver_due(
    database: Database, transport: Transport, *, destination_id: UUID | None
) -> None:
    """For the job: attempts what is due, one after the other. Ends when the receiver is
    unavailable; the sweep continues.
    """
    while True:
        async with database.write() as session:
            claimed = await _claim(session, transport, destination_id)
        if claimed is None:
            return
        result = await attempt(claimed, transport)
        async with database.write() as session:
            await record(session, claimed, result)
        if result.is_unavailable:
            return


async def _claim(
    session: AsyncSession, transport: Transport, destination_id: UUID | None
) -> Claimed | None:
    deliveries = Deliveries(session)
    destination = None
    if destination_id is not None:
        destination = await Destinations(session).find(destination_id)
        if destination is None:
            return None
        if not destination.is_enabled:
            await deliveries.cancel_waiting(destination_id, failure=_DISABLED)
            return None
    elif transport.mail is None:
        # They would be outdated when a mail server is configured weeks later.
        await deliveries.cancel_waiting(None, failure=_NO_MAIL_SERVER)
        return None
    now = clock.now()
    delivery = await deliveries.claim_next(destination_id, now=now, until=lease_end(now))
    if delivery is None:
        return None
    return await complete(session, delivery, destination, transport)


async def complete(
    session: AsyncSession, delivery: Delivery, destination: Destination | None, transport: Transport
) -> Claimed:
    """Reads what an attempt needs. The recipient is None if its address cannot be read."""
    deliveries = Deliveries(session)
    message = message_of(
        delivery,
        project_name=await deliveries.find_project_name(delivery.project_id),
        site=transport.site,
        includes_content=destination is not None and destination.includes_content,
    )
    recipient = None
    if destination is not None:
        try:
            recipient = open_recipient(destination, transport.keys, now=clock.now())
        except AddressUnreadable:
            log.warning("destination unreadable", destination=str(destination.id))
    elif delivery.user_id is not None:
        email = await deliveries.find_email(delivery.user_id)
        recipient = None if email is None else Recipient(address=email)
    return Claimed(delivery=delivery, message=message, destination=destination, recipient=recipient)


async def attempt(claimed: Claimed, transport: Transport) -> SendResult:
    if claimed.recipient is None:
        return SendResult(failure=str(AddressUnreadable()), is_unavailable=True)
    channel = load_channel(claimed.delivery.channel)
    try:
        async with asyncio.timeout(_ATTEMPT_SECONDS):
            return await channel.send(claimed.message, claimed.recipient, transport)
    except TimeoutError:
        return SendResult(failure="The receiver did not answer in time.", is_unavailable=True)


async def record(session: AsyncSession, claimed: Claimed, result: SendResult) -> None:
    delivery, now = claimed.delivery, clock.now()
    values = _outcome(delivery, result, now)
    is_recorded = await Deliveries(session).record_attempt(
        delivery.id, attempt=delivery.attempts, values=values
    )
    log.info(
        "delivery attempted",
        delivery=str(delivery.id),
        channel=delivery.channel,
        attempt=delivery.attempts,
        state=values["state"],
        status=result.status,
    )
    if not is_recorded or delivery.destination_id is None:
        return
    destination = await Destinations(session).find(delivery.destination_id, lock=True)
    if destination is not None:
        await _note_result(session, destination, result, now, is_test=delivery.is_test)
        await publish_change(session, destination)


def _outcome(delivery: Delivery, result: SendResult, now: datetime) -> dict[str, Any]:
    values: dict[str, Any] = {
        "status": result.status,
        "answer": result.answer,
        "failure": result.failure,
        "next_attempt_at": None,
    }
    if result.failure is None:
        return values | {"state": DeliveryState.DELIVERED, "delivered_at": now}
    delay = None if delivery.is_test or result.is_gone else retry_delay(delivery.attempts)
    if delay is None:
        return values | {"state": DeliveryState.FAILED}
    return values | {"state": DeliveryState.WAITING, "next_attempt_at": now + delay}


async def _note_result(
    session: AsyncSession,
    destination: Destination,
    result: SendResult,
    now: datetime,
    *,
    is_test: bool,
) -> None:
    """A failed test changes only what is shown of the last attempt."""
    destination.last_attempt_at, destination.last_failure = now, result.failure
    if result.failure is None:
        destination.failing_since = None
    elif not is_test and destination.is_enabled:
        destination.failing_since = since = destination.failing_since or now
        if result.is_gone:
            sentence = f"{destination.target} answered 410: it accepts no more messages."
            await _switch_off(session, destination, DisabledReason.GONE, sentence)
        elif now - since >= MOST_FAILING:
            sentence = f"Every delivery to {destination.target} failed for three days."
            await _switch_off(session, destination, DisabledReason.FAILING, sentence)


async def _switch_off(
    session: AsyncSession, destination: Destination, reason: DisabledReason, sentence: str
) -> None:
    await disable(session, destination, reason)
    audit.record(
        session,
        "destination.disabled",
        entity=("destination", destination.id),
        project_id=destination.project_id,
        after={"reason": reason.value},
    )
    await session.flush()
    await notify_disabled(session, destination, sentence)


async def disable(session: AsyncSession, destination: Destination, reason: DisabledReason) -> None:
    """Messages that wait are cancelled: they would be outdated when it is enabled again."""
    destination.disabled_reason, destination.disabled_at = reason, clock.now()
    await Deliveries(session).cancel_waiting(destination.id, failure=_DISABLED)


async def publish_change(session: AsyncSession, destination: Destination) -> None:
    """Call it last: it locks the project's stream."""
    await session.flush()
    await events.publish(
        session,
        stream=events.project_stream(destination.project_id),
        kind="destination.changed",
        data={"entity_id": str(destination.id)},
    )
