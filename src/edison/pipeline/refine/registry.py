"""Registry of optimizers, discovered from their modules, with the forms of their options."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from edison.kit.plugin_options import open_with, unknown_kind
from edison.kit.registry import keys_of, load_plugin
from edison.pipeline.refine.optimizer import Optimizer

PACKAGE = "edison.pipeline.refine.optimizers"


@cache
def optimizer_kinds() -> tuple[str, ...]:
    return keys_of(PACKAGE)


def load_optimizer(kind: str) -> type[Optimizer]:
    """Returns the optimizer class `kind`. Raises KeyError when there is none."""
    return load_plugin(PACKAGE, kind, Optimizer)


def form_of(kind: str) -> dict[str, Any]:
    """JSON Schema of the optimizer's options."""
    return load_optimizer(kind).model_json_schema()


def open_optimizer(kind: str, options: Mapping[str, Any]) -> Optimizer:
    """Creates an optimizer with these options. Raises Invalid when the options are not valid."""
    if kind not in optimizer_kinds():
        raise unknown_kind("There is no such optimizer.", "unknown_optimizer")
    return open_with(load_optimizer(kind), options)
