"""Differences between two versions, value by value."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from edison.workspace.resources.schemas import ChangeRead

_ABSENT = object()


def list_changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[ChangeRead]:
    """In the order of the fields; removed fields come last."""
    return list(_walk((), before, after))


def _walk(path: tuple[str, ...], before: Any, after: Any) -> Iterator[ChangeRead]:
    if before == after:
        return
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for key in dict.fromkeys((*after, *before)):
            yield from _walk((*path, key), before.get(key, _ABSENT), after.get(key, _ABSENT))
    elif _are_named(before) and _are_named(after):
        yield from _walk_named(path, before, after)
    else:
        yield _change(path, before, after)


def _walk_named(
    path: tuple[str, ...], before: Sequence[Mapping[str, Any]], after: Sequence[Mapping[str, Any]]
) -> Iterator[ChangeRead]:
    """Criteria are matched by name, so moving one does not change the others."""
    old, new = ({each["name"]: each for each in side} for side in (before, after))
    yield from _walk(path, old, new)
    kept = [name for name in old if name in new]
    moved = [name for name in new if name in old]
    if kept != moved:
        yield ChangeRead(kind="changed", path=[*path, "order"], before=kept, after=moved)


def _are_named(value: Any) -> bool:
    if not isinstance(value, list) or not value:
        return False
    names = [each.get("name") for each in value if isinstance(each, Mapping)]
    return len(set(names)) == len(value) and all(isinstance(name, str) for name in names)


def _change(path: tuple[str, ...], before: Any, after: Any) -> ChangeRead:
    if before is _ABSENT:
        return ChangeRead(kind="added", path=list(path), before=None, after=after)
    if after is _ABSENT:
        return ChangeRead(kind="removed", path=list(path), before=before, after=None)
    return ChangeRead(kind="changed", path=list(path), before=before, after=after)
