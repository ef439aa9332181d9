"""`dataclass` with methods that are generated when they are first used.

The standard library compiles up to six functions for each dataclass while its module is loaded,
which took a fifth of a start. Most classes are never created, few are compared or printed.
"""

import copy
import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

Declared = TypeVar("Declared", bound=type)

__all__ = ["LazyMethod", "dataclass"]

_COMPARISONS = ("__lt__", "__le__", "__gt__", "__ge__")
# The options of `make_dataclass` that generate a method.
_OPTIONS: dict[str, dict[str, Any]] = {
    "__init__": {"init": True},
    "__repr__": {"repr": True},
    "__eq__": {"eq": True},
    "__hash__": {"unsafe_hash": True},
    **{name: {"eq": True, "order": True} for name in _COMPARISONS},
}


class LazyMethod:
    """A method of a dataclass that the standard library generates at its first use. The generated
    function then replaces it in the class.
    """

    __slots__ = ("_is_frozen", "_name", "_owner")

    def __init__(self, owner: type, name: str, *, is_frozen: bool = False) -> None:
        self._owner = owner
        self._name = name
        self._is_frozen = is_frozen

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        method = self._generate()
        setattr(self._owner, self._name, method)
        return method if instance is None else method.__get__(instance, owner)

    def _generate(self) -> Any:
        declared: Any = self._owner
        options = {"init": False, "repr": False, "eq": False, **_OPTIONS[self._name]}
        # Without a text of its own, the signature would be written.
        namespace = {"__doc__": declared.__doc__}
        if hasattr(declared, "__post_init__"):
            namespace["__post_init__"] = declared.__post_init__
        likeness = dataclasses.make_dataclass(
            declared.__name__,
            [(field.name, field.type, copy.copy(field)) for field in dataclasses.fields(declared)],
            namespace=namespace,
            frozen=self._is_frozen,
            **options,
        )
        method = vars(likeness)[self._name]
        method.__qualname__ = f"{declared.__qualname__}.{self._name}"
        return method


def _declare(
    cls: Declared, *, frozen: bool, slots: bool, kw_only: bool, eq: bool, order: bool
) -> Declared:
    own = dict(vars(cls))
    if cls.__doc__ is None:
        # The standard library would write the signature instead, and generate `__init__` for it.
        cls.__doc__ = cls.__name__
    declared: Any = dataclasses.dataclass(
        init=False, repr=False, eq=False, slots=slots, kw_only=kw_only
    )(cls)
    names = ["__init__", "__repr__"]
    names += ["__eq__"] if eq else []
    names += _COMPARISONS if order else []
    for name in names:
        if name not in own:
            setattr(declared, name, LazyMethod(declared, name, is_frozen=frozen))
    # Python sets `__hash__` to None in classes that define `__eq__` only.
    has_own_hash = "__hash__" in own and not (own["__hash__"] is None and "__eq__" in own)
    if eq and not has_own_hash:
        declared.__hash__ = LazyMethod(declared, "__hash__") if frozen else None
    if frozen:
        _freeze(declared)
        if slots and "__getstate__" not in own:
            # Python's own way to restore such an object assigns its fields.
            declared.__getstate__, declared.__setstate__ = _values, _restore
    result: Declared = declared
    return result


def _freeze(declared: Any) -> None:
    names = frozenset(field.name for field in dataclasses.fields(declared))

    def refuse_assignment(self: Any, name: str, value: object) -> None:
        if type(self) is declared or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
        super(declared, self).__setattr__(name, value)

    def refuse_deletion(self: Any, name: str) -> None:
        if type(self) is declared or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
        super(declared, self).__delattr__(name)

    declared.__setattr__ = refuse_assignment
    declared.__delattr__ = refuse_deletion


def _values(self: Any) -> list[Any]:
    return [getattr(self, field.name) for field in dataclasses.fields(self)]


def _restore(self: Any, values: list[Any]) -> None:
    for field, value in zip(dataclasses.fields(self), values, strict=True):
        object.__setattr__(self, field.name, value)


def _dataclass(
    *,
    frozen: bool = False,
    slots: bool = False,
    kw_only: bool = False,
    eq: bool = True,
    order: bool = False,
) -> Callable[[Declared], Declared]:
    """Like the standard library's, but without fields of type InitVar. A frozen class can be
    extended by one of these only.
    """

    def declare(cls: Declared) -> Declared:
        return _declare(cls, frozen=frozen, slots=slots, kw_only=kw_only, eq=eq, order=order)

    return declare


if TYPE_CHECKING:
    # Type checkers know this one.
    from dataclasses import dataclass
else:
    dataclass = _dataclass
