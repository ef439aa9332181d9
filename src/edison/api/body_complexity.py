"""How much structure the JSON of a request may have, found out before it is parsed and validated.

Validation costs far more per key or list item than sending one, and reports each that is wrong. So
the number of parts and the depth are bounded first, by counting bytes: no more work than a copy.
"""

import re

MOST_PARTS = 50_000
DEEPEST_NESTING = 64
# Where callers who have not proven who they are send bodies; no form there has many fields.
ANONYMOUS_PATHS = re.compile(r"/api/v1/(auth/.*|invitations/[^/]+/register)", re.DOTALL)
MOST_ANONYMOUS_PARTS = 200
MOST_ANONYMOUS_BYTES = 16 * 1024

# Linear: a string that never ends is matched up to the end and not tried again from inside.
_STRING = re.compile(rb'"(?:[^"\\]++|\\.?)*+(?:"|\Z)', re.DOTALL)
_NOT_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))


class TooComplex(ValueError):
    """Its text is a sentence for users."""


def check_complexity(body: bytes, *, path: str) -> None:
    """Raises TooComplex."""
    most = MOST_ANONYMOUS_PARTS if ANONYMOUS_PATHS.fullmatch(path) else MOST_PARTS
    if _opened(body) <= DEEPEST_NESTING and _parts(body) <= most:
        return
    # Texts may hold as many commas and brackets as they like.
    structure = _STRING.sub(b"", body)
    if _parts(structure) > most:
        raise TooComplex(f"The body has more than {most:,} fields and list items.")
    if _depth(structure) > DEEPEST_NESTING:
        raise TooComplex(f"Nest at most {DEEPEST_NESTING} levels deep.")


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
