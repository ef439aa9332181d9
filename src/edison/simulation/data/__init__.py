"""Texts and word lists of the simulation, as TOML."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def read_data(name: str) -> dict[str, Any]:
    return tomllib.loads((files(__package__) / f"{name}.toml").read_text(encoding="utf-8"))
