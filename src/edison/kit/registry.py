"""Plug-in folders: each module of a package defines exactly one subclass of the folder's base.

The module name is the plug-in's key, stored in databases and files; never rename a module.
"""

import importlib
import inspect
import pkgutil
from functools import cache
from typing import TypeVar

Base = TypeVar("Base")


class BrokenPlugin(RuntimeError):
    """A module of a plug-in folder does not define exactly one plug-in."""


@cache
def keys_of(package: str) -> tuple[str, ...]:
    """The keys of all plug-ins. Does not import their modules."""
    folder = importlib.import_module(package)
    return tuple(sorted(module.name for module in pkgutil.iter_modules(folder.__path__)))


def load_plugin(package: str, key: str, base: type[Base]) -> type[Base]:
    """The class of plug-in `key`. Raises KeyError if there is no such module."""
    if key not in keys_of(package):
        raise KeyError(key)
    module = importlib.import_module(f"{package}.{key}")
    found = [
        member
        for _, member in inspect.getmembers(module, inspect.isclass)
        if issubclass(member, base)
        and member is not base
        and member.__module__ == module.__name__
        and not inspect.isabstract(member)
    ]
    if len(found) != 1:
        raise BrokenPlugin(f"{module.__name__} must define exactly one {base.__name__}.")
    return found[0]
