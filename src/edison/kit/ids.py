"""Time-ordered identifiers (UUID version 7) and unguessable secrets."""

import hashlib
import secrets
import threading
import time
from uuid import UUID

_lock = threading.Lock()
_last_tick = 0

_SUB_MILLISECOND_STEPS = 4096


def new_id() -> UUID:
    """A UUIDv7 (RFC 9562, method 3) that is larger than every one made before by this process.

    The twelve bits after the version hold the fraction of the millisecond, so rows made in one
    burst keep their order and index pages fill from left to right.
    """
    global _last_tick  # noqa: PLW0603 - the sequence is process-wide by definition
    with _lock:
        tick = time.time_ns() * _SUB_MILLISECOND_STEPS // 1_000_000
        _last_tick = max(tick, _last_tick + 1)
        milliseconds, fraction = divmod(_last_tick, _SUB_MILLISECOND_STEPS)
    value = (milliseconds & 0xFFFF_FFFF_FFFF) << 80
    value |= 0x7 << 76 | fraction << 64
    value |= 0b10 << 62 | secrets.randbits(62)
    return UUID(int=value)


def new_secret(prefix: str = "") -> str:
    """A URL-safe secret with 256 bits of entropy."""
    return prefix + secrets.token_urlsafe(32)


def digest(secret: str) -> str:
    """What is stored instead of a secret. A plain hash suffices: the secrets are random."""
    return hashlib.sha256(secret.encode()).hexdigest()
