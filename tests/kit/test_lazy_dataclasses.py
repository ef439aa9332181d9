"""Dataclasses whose methods are generated at their first use."""

import copy
import dataclasses
import inspect
import pickle
from collections.abc import Callable
from typing import Any

import pytest

from edison.kit.lazy_dataclasses import LazyMethod, dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Frozen:
    name: str
    count: int = 3
    parts: list[str] = dataclasses.field(default_factory=list, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Longer(Frozen):
    note: str | None = None

    def __post_init__(self) -> None:
        if self.note == "":
            raise ValueError("empty")


class Extended(Frozen):
    extra: str


@dataclass(slots=True)
class Plain:
    x: int
    y: int = 0


@dataclass(order=True, slots=True)
class Ordered:
    at: int
    name: str = dataclasses.field(compare=False)


@dataclass(frozen=True, slots=True, eq=False)
class ComparedById:
    x: int


@dataclass(frozen=True, slots=True)
class OwnMethods:
    x: int

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OwnMethods)

    def __hash__(self) -> int:
        return 1

    def __repr__(self) -> str:
        return "own"


@pytest.mark.parametrize("method", ["__init__", "__repr__", "__eq__", "__hash__"])
def test_a_method_is_generated_at_its_first_use(method: str) -> None:
    @dataclass(frozen=True, slots=True, kw_only=True)
    class Unused:
        x: int = 1

    assert isinstance(vars(Unused)[method], LazyMethod)
    assert callable(getattr(Unused, method))
    assert inspect.isfunction(vars(Unused)[method])
    assert vars(Unused)[method].__qualname__ == f"{Unused.__qualname__}.{method}"


def test_it_is_created_like_one_of_the_standard_library() -> None:
    assert str(inspect.signature(Frozen)) == (
        "(*, name: str, count: int = 3, parts: list[str] = <factory>) -> None"
    )
    assert Frozen(name="a").parts is not Frozen(name="a").parts
    with pytest.raises(TypeError, match=r"Frozen.__init__\(\) missing .* 'name'"):
        Frozen()  # type: ignore[call-arg]  # refused by mypy, too
    assert Plain.__match_args__ == ("x", "y")
    assert dataclasses.asdict(Plain(1)) == {"x": 1, "y": 0}
    assert not hasattr(Plain(1), "__dict__")


def test_it_inherits_fields_and_checks_itself() -> None:
    assert repr(Longer(name="a", note="b")).endswith("(name='a', count=3, parts=[], note='b')")
    assert dataclasses.replace(Longer(name="a"), note="c").note == "c"
    with pytest.raises(ValueError, match="empty"):
        Longer(name="a", note="")


def test_it_compares_and_hashes_fields() -> None:
    assert Frozen(name="a", parts=["b"]) == Frozen(name="a")
    assert Frozen(name="a") != Frozen(name="b")
    assert Frozen(name="a") != Longer(name="a")
    assert len({Frozen(name="a"), Frozen(name="a", parts=["b"]), Frozen(name="b")}) == 2
    assert Plain(1) == Plain(1, 0)
    with pytest.raises(TypeError, match="unhashable"):
        hash(Plain(1))
    assert Ordered(1, "b") < Ordered(2, "a")
    assert Ordered(1, "b") <= Ordered(1, "a")
    assert ComparedById(1) != ComparedById(1)
    assert len({ComparedById(1), ComparedById(1)}) == 2


def test_methods_of_the_class_stay() -> None:
    assert OwnMethods(1) == OwnMethods(2)
    assert hash(OwnMethods(1)) == 1
    assert repr(OwnMethods(1)) == "own"


@pytest.mark.parametrize("thing", [Frozen(name="a"), Longer(name="a")])
@pytest.mark.parametrize(
    "change",
    [
        lambda thing: setattr(thing, "name", "b"),
        lambda thing: delattr(thing, "name"),
        lambda thing: setattr(thing, "unknown", "b"),
    ],
)
def test_a_frozen_one_cannot_be_changed(thing: Frozen, change: Callable[[Any], None]) -> None:
    with pytest.raises(dataclasses.FrozenInstanceError, match=r"cannot (assign|delete)"):
        change(thing)
    assert thing.name == "a"


def test_an_ordinary_subclass_of_a_frozen_one_has_attributes_of_its_own() -> None:
    extended = Extended(name="a")
    extended.extra = "b"
    assert extended.extra == "b"
    del extended.extra
    with pytest.raises(dataclasses.FrozenInstanceError):
        extended.name = "b"  # type: ignore[misc]  # refused by mypy, too


@pytest.mark.parametrize("thing", [Longer(name="a", note="b"), Plain(1, 2), Ordered(1, "c")])
def test_it_copies_and_pickles(thing: object) -> None:
    assert copy.copy(thing) == copy.deepcopy(thing) == thing
    assert pickle.loads(pickle.dumps(thing)) == thing  # noqa: S301 - own data
