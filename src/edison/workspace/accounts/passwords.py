"""Password rules and hashing. bcrypt takes a quarter of a second on purpose: never call it while a
transaction is open, and never on the event loop.
"""

import asyncio
import hashlib
from base64 import b64encode
from collections.abc import Callable

import bcrypt

from edison.kit.errors import FieldProblem

COST = 12
SHORTEST, LONGEST = 12, 128
SPECIAL_CHARACTERS = "!@#$%^&*"

_RULES: tuple[tuple[str, str, Callable[[str], bool]], ...] = (
    ("too_short", f"Use at least {SHORTEST} characters.", lambda text: len(text) >= SHORTEST),
    ("too_long", f"Use at most {LONGEST} characters.", lambda text: len(text) <= LONGEST),
    ("no_upper", "Add an uppercase letter.", lambda text: any(c.isupper() for c in text)),
    ("no_lower", "Add a lowercase letter.", lambda text: any(c.islower() for c in text)),
    ("no_digit", "Add a digit.", lambda text: any(c in "0123456789" for c in text)),
    (
        "no_special",
        f"Add one of {SPECIAL_CHARACTERS}",
        lambda text: any(c in SPECIAL_CHARACTERS for c in text),
    ),
)


def problems_with(password: str, *, field: str = "password") -> list[FieldProblem]:
    """Every rule the password breaks."""
    return [
        FieldProblem(field=field, message=message, code=code)
        for code, message, holds in _RULES
        if not holds(password)
    ]


async def hash_password(password: str) -> str:
    hashed = await asyncio.to_thread(bcrypt.hashpw, _prehash(password), bcrypt.gensalt(COST))
    return hashed.decode()


async def matches(password: str, password_hash: str | None) -> bool:
    """Takes equally long without a hash, so timing does not reveal whether an account exists."""
    against = (password_hash or _NOBODY).encode()
    is_equal = await asyncio.to_thread(bcrypt.checkpw, _prehash(password), against)
    return is_equal and password_hash is not None


def _prehash(password: str) -> bytes:
    """bcrypt reads only 72 bytes; hashing first makes every character of a long password count."""
    return b64encode(hashlib.sha256(password.encode()).digest())


# The hash of a random, unknown secret, at the same cost as real ones.
_NOBODY = "$2b$12$bCdmwRMBh7b350Lf/sFrzOdVz3FV9s9j4urGJvyZvyb3J9Tz0VR3m"
