"""The optimizers there are, found by their files, and the forms in which they are configured."""

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
    """The optimizer `kind`; raises KeyError when there is none."""
    return load_plugin(PACKAGE, kind, Optimizer)


def form_of(kind: str) -> dict[str, Any]:
    """A JSON Schema of the optimizer's options."""
    return load_optimizer(kind).model_json_schema()


def open_optimizer(kind: str, options: Mapping[str, Any]) -> Optimizer:
    """An optimizer with these options. Raises Invalid when they do not fit its form."""
    if kind not in optimizer_kinds():
        raise unknown_kind("There is no such optimizer.", "unknown_optimizer")
    return open_with(load_optimizer(kind), options)
