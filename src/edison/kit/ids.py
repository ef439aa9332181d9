"""Time-ordered identifiers (UUID version 7) and unguessable secrets."""

import hashlib
import os
import secrets
import threading
import time
from collections.abc import Iterator
from uuid import UUID, SafeUUID

_lock = threading.Lock()
_last_tick = 0
_luck: Iterator[int] = iter(())

_SUB_MILLISECOND_STEPS = 4096
_DRAWN_AT_ONCE = 512

# Found once: the lookups take as long as the assignments.
_set_int, _set_is_safe = (vars(UUID)[name].__set__ for name in ("int", "is_safe"))
_UNKNOWN = SafeUUID.unknown


def new_id() -> UUID:
    """A UUIDv7 (RFC 9562, method 3), larger than all earlier ones of this process.

    The twelve bits after the version hold the fraction of the millisecond, so rows created in
    one burst keep their order and index pages fill from left to right.
    """
    global _last_tick  # noqa: PLW0603 - the sequence is process-wide by definition
    with _lock:
        luck = next(_luck, None) or _draw()
        tick = time.time_ns() * _SUB_MILLISECOND_STEPS // 1_000_000
        if tick <= _last_tick:
            tick = _last_tick + 1
        _last_tick = tick
    upper = tick // _SUB_MILLISECOND_STEPS << 16 | 0x7000 | tick % _SUB_MILLISECOND_STEPS
    # Without the checks of `UUID.__init__`, which take longer than all the rest.
    made = object.__new__(UUID)
    _set_int(made, upper << 64 | 0b10 << 62 | luck >> 2)
    _set_is_safe(made, _UNKNOWN)
    return made


def _draw() -> int:
    """The next random number. Draws many at a time: the system call dominates the cost."""
    global _luck  # noqa: PLW0603 - see above
    drawn = os.urandom(8 * _DRAWN_AT_ONCE)
    _luck = iter(memoryview(drawn).cast("Q").tolist())
    return next(_luck)


def _forget_luck() -> None:
    global _luck  # noqa: PLW0603 - see above
    _luck = iter(())


# A forked process would otherwise continue with its parent's numbers.
os.register_at_fork(after_in_child=_forget_luck)


def new_secret(prefix: str = "") -> str:
    """A URL-safe secret with 256 bits of entropy."""
    return prefix + secrets.token_urlsafe(32)


def digest(secret: str) -> str:
    """The hash stored instead of a secret. Unsalted SHA-256 suffices: the secrets are random."""
    return hashlib.sha256(secret.encode()).hexdigest()


def parse_id(value: object) -> UUID | None:
    """None if `value` is not the text of a UUID."""
    try:
        return UUID(value) if isinstance(value, str) else None
    except ValueError:
        return None
