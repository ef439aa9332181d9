"""Longest common subsequence of two sequences.

Bit-parallel (Hyyrö 2004, "Bit-parallel LCS-length computation revisited"): a row of the table is
one long integer, so ten thousand lines take a tenth of a second, whatever their content. Python's
difflib slows down where a few distinct lines occur often, or ignores such lines.
"""

from collections.abc import Sequence

from edison.kit.lazy_dataclasses import dataclass

# All rows are kept for backtracking: this many bits are some megabytes.
_MOST_BITS = 100_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """`old[start:end]` was replaced by `new[new_start:new_end]`; one of the two may be empty."""

    start: int
    end: int
    new_start: int
    new_end: int


def differing_blocks(old: Sequence[str], new: Sequence[str]) -> list[Block]:
    """Returns all differences in order. Sequences that are too long to compare differ in one block,
    from their first to their last difference.
    """
    head, tail = _equal_ends(old, new)
    matches = _matches(old[head : len(old) - tail], new[head : len(new) - tail])
    placed = [(head + at, head + new_at) for at, new_at in matches]
    blocks = []
    position, new_position = head, head
    for at, new_at in [*placed, (len(old) - tail, len(new) - tail)]:
        if at > position or new_at > new_position:
            blocks.append(Block(start=position, end=at, new_start=new_position, new_end=new_at))
        position, new_position = at + 1, new_at + 1
    return blocks


def common_length(old: Sequence[str], new: Sequence[str]) -> int:
    """Length of the longest common subsequence."""
    head, tail = _equal_ends(old, new)
    middle = old[head : len(old) - tail]
    *_, last = _rows(middle, new[head : len(new) - tail])
    return head + tail + len(middle) - last.bit_count()


def _equal_ends(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    """Number of equal elements at the beginning, and of equal elements among the rest at
    the end.
    """
    shortest = min(len(old), len(new))
    head = next((at for at in range(shortest) if old[at] != new[at]), shortest)
    left = shortest - head
    tail = next((at for at in range(left) if old[-1 - at] != new[-1 - at]), left)
    return head, tail


def _rows(old: Sequence[str], new: Sequence[str]) -> list[int]:
    """Rows of the table: the first is empty, then one per element of the new sequence. A bit is 0
    where one more element of the old sequence is matched.
    """
    every = (1 << len(old)) - 1
    places: dict[str, int] = {}
    for at, element in enumerate(old):
        places[element] = places.get(element, 0) | 1 << at
    row = every
    rows = [row]
    for element in new:
        matched = row & places.get(element, 0)
        row = (row + matched | row - matched) & every
        rows.append(row)
    return rows


def _matches(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    if len(old) * len(new) > _MOST_BITS:
        return []
    rows = _rows(old, new)
    found = []
    at, new_at = len(old), len(new)
    while at and new_at:
        bit = 1 << (at - 1)
        if rows[new_at] & bit:
            at -= 1
        elif not rows[new_at - 1] & bit:
            new_at -= 1
        else:
            at, new_at = at - 1, new_at - 1
            found.append((at, new_at))
    return found[::-1]
