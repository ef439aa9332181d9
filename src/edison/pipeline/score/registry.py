"""Registry of scorers and comparers, discovered from their modules, with the forms of their
options.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

from edison.kit.plugin_options import open_with, unknown_kind
from edison.kit.registry import keys_of, load_plugin
from edison.pipeline.score.comparer import Comparer
from edison.pipeline.score.scorer import Scorer

PACKAGE = "edison.pipeline.score.scorers"
COMPARERS = "edison.pipeline.score.comparers"


@cache
def scorer_kinds() -> tuple[str, ...]:
    return keys_of(PACKAGE)


@cache
def load_scorer(kind: str) -> type[Scorer]:
    """Returns the scorer class `kind`. Raises KeyError when there is none."""
    return load_plugin(PACKAGE, kind, Scorer)


@cache
def form_of(kind: str) -> dict[str, Any]:
    """JSON Schema of the scorer's options."""
    return load_scorer(kind).model_json_schema()


@cache
def comparer_kinds() -> tuple[str, ...]:
    return keys_of(COMPARERS)


def load_comparer(kind: str) -> type[Comparer]:
    """Returns the comparer class `kind`. Raises KeyError when there is none."""
    return load_plugin(COMPARERS, kind, Comparer)


def open_scorer(kind: str, options: Mapping[str, Any]) -> Scorer:
    """Creates a scorer with these options. Raises Invalid when the options are not valid."""
    if kind not in scorer_kinds():
        raise unknown_kind("There is no such scorer.", "unknown_scorer")
    return open_with(load_scorer(kind), options)


def open_comparer(kind: str, options: Mapping[str, Any]) -> Comparer:
    """Creates a comparer with these options. Raises Invalid when the options are not valid."""
    if kind not in comparer_kinds():
        raise unknown_kind("There is no such comparer.", "unknown_comparer")
    return open_with(load_comparer(kind), options)
