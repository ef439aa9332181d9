"""Texts and word lists of the simulation, as TOML. Those of cases are in two parts, like the cases
of a dataset.
"""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, Literal

Split = Literal["train", "holdout"]


@cache
def read_data(name: str) -> dict[str, Any]:
    return tomllib.loads((files(__package__) / f"{name}.toml").read_text(encoding="utf-8"))
