"""Addresses and signing secrets of destinations, sealed and bound to their target."""

import base64
import secrets
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from edison.kit.sealing import CannotOpen, SealingKeys
from edison.workspace.deliveries.channel import Recipient
from edison.workspace.deliveries.errors import AddressUnreadable
from edison.workspace.deliveries.models import Destination

SECRET_PREFIX = "whsec_"  # noqa: S105 - the prefix that Standard Webhooks defines
_SECRET_BYTES = 32
# Both secrets sign for this long: more than all retries of a delivery take.
ROTATION = timedelta(hours=24)


def new_secret() -> str:
    return SECRET_PREFIX + base64.b64encode(secrets.token_bytes(_SECRET_BYTES)).decode()


def seal_bound(text: str, target: str, keys: SealingKeys) -> str:
    """A sealed text that `open_recipient` opens only for the same target."""
    return keys.seal(f"{target}\n{text}")


def rotated(
    stored: Mapping[str, Any], secret: str, target: str, *, keys: SealingKeys, now: datetime
) -> dict[str, Any]:
    """The stored secrets with a new current one. The secret before it stays valid for a while; an
    older one ends at once.
    """
    changed: dict[str, Any] = {"current": {"sealed": seal_bound(secret, target, keys)}}
    if "current" in stored:
        until = (now + ROTATION).isoformat()
        changed["previous"] = {"sealed": stored["current"]["sealed"], "until": until}
    return changed


def open_recipient(destination: Destination, keys: SealingKeys, *, now: datetime) -> Recipient:
    """Raises AddressUnreadable."""
    stored = destination.secrets
    sealed = [stored["current"]["sealed"]] if "current" in stored else []
    previous = stored.get("previous")
    if previous is not None and now < datetime.fromisoformat(previous["until"]):
        sealed.append(previous["sealed"])
    target = destination.target
    return Recipient(
        address=_open_bound(destination.address, target, keys),
        secrets=tuple(_open_bound(each, target, keys) for each in sealed),
    )


def _open_bound(sealed: str, target: str, keys: SealingKeys) -> str:
    try:
        bound, _, text = keys.open(sealed).partition("\n")
    except CannotOpen as unreadable:
        raise AddressUnreadable from unreadable
    if bound != target:
        raise AddressUnreadable
    return text
