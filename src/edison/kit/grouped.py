"""Groups of items by a key that is slow to hash."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import TypeVar

Item = TypeVar("Item")
Key = TypeVar("Key")


def grouped(items: Iterable[Item], key: Callable[[Item], Key]) -> Mapping[Key, Sequence[Item]]:
    """Items by key, in their order. Items of a wave share the object of their project or run: a
    UUID is hashed, which takes longer than the rest, only where it is another than the last one.
    """
    groups: dict[Key, list[Item]] = defaultdict(list)
    for same, members in groupby(items, key):
        groups[same] += members
    return groups
