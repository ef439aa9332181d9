"""Limits on the structure of a JSON request body, checked before parsing.

Validation costs far more per key or list item than sending one, and reports every invalid one. So
the number of parts and the depth are limited first by counting bytes, which costs no more than a
copy.
"""

import re

MOST_PARTS = 50_000
# Plans and results of evaluations hold all their tests.
PLAN_PATHS = re.compile(r"/api/v1/projects/[^/]+/evaluations/(plans|results)")
MOST_PLAN_PARTS = 1_000_000
DEEPEST_NESTING = 64
# Routes that take bodies from unauthenticated callers; none of their forms has many fields.
ANONYMOUS_PATHS = re.compile(r"/api/v1/(auth/.*|invitations/[^/]+/register)", re.DOTALL)
MOST_ANONYMOUS_PARTS = 200
MOST_ANONYMOUS_BYTES = 16 * 1024

# Linear time: an unterminated string matches to the end and is not retried from inside.
_STRING = re.compile(rb'"(?:[^"\\]++|\\.?)*+(?:"|\Z)', re.DOTALL)
_NOT_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))


class TooComplex(ValueError):
    """The message is shown to users."""


def check_complexity(body: bytes, *, path: str) -> None:
    """Raises TooComplex."""
    most = _most_parts(path)
    if _opened(body) <= DEEPEST_NESTING and _parts(body) <= most:
        return
    # Commas and brackets inside strings do not count.
    structure = _STRING.sub(b"", body)
    if _parts(structure) > most:
        raise TooComplex(f"The body has more than {most:,} fields and list items.")
    if _depth(structure) > DEEPEST_NESTING:
        raise TooComplex(f"Nest at most {DEEPEST_NESTING} levels deep.")


def _most_parts(path: str) -> int:
    if ANONYMOUS_PATHS.fullmatch(path):
        return MOST_ANONYMOUS_PARTS
    return MOST_PLAN_PARTS if PLAN_PATHS.fullmatch(path) else MOST_PARTS


def _opened(body: bytes) -> int:
    return body.count(b"{") + body.count(b"[")


def _parts(body: bytes) -> int:
    return _opened(body) + body.count(b",")


def _depth(structure: bytes) -> int:
    depth = deepest = 0
    for bracket in structure.translate(None, _NOT_BRACKETS):
        depth += 1 if bracket in b"[{" else -1
        deepest = max(deepest, depth)
    return deepest
