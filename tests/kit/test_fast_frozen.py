"""Frozen dataclasses that are cheap to create."""

import copy
import inspect
import pickle
from dataclasses import asdict, dataclass, field, replace

import pytest

from edison.kit.fast_frozen import changed, fast_frozen


@dataclass(frozen=True, slots=True, kw_only=True)
class Frozen:
    name: str
    count: int = 3
    parts: list[str] = field(default_factory=list)


@fast_frozen
@dataclass(frozen=True, slots=True, kw_only=True)
class Thawed:
    name: str
    count: int = 3
    parts: list[str] = field(default_factory=list)


@fast_frozen
@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    x: int
    y: int = 0


def test_it_is_created_like_the_frozen_class() -> None:
    assert inspect.signature(Thawed.__init__).parameters.keys() == (
        inspect.signature(Frozen.__init__).parameters.keys()
    )
    assert asdict(Thawed(name="a")) == asdict(Frozen(name="a"))
    assert Thawed(name="a").parts is not Thawed(name="a").parts
    with pytest.raises(TypeError, match="name"):
        Thawed()  # type: ignore[call-arg]  # refused by mypy, too


def test_it_compares_hashes_copies_and_pickles_like_the_frozen_class() -> None:
    point = Point(x=1)
    assert point == Point(x=1, y=0)
    assert len({point, Point(x=1), Point(x=2)}) == 2
    assert replace(point, y=2) == Point(x=1, y=2)
    assert copy.copy(point) == pickle.loads(pickle.dumps(point)) == point  # noqa: S301 - own data
    assert repr(point) == "Point(x=1, y=0)"
    assert not hasattr(point, "__dict__")


def test_a_changed_instance_is_a_new_one() -> None:
    first = Thawed(name="a", parts=["x"])
    second = changed(first, name="b", count=0)
    assert second == replace(first, name="b", count=0)
    assert first == Thawed(name="a", parts=["x"])
    assert second.parts is first.parts
