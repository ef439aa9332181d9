"""Work that limited workers do, by name. A worker imports a task's module on its first request,
except that of schemas, the most frequent one.
"""

import importlib
from collections.abc import Mapping
from typing import Any

from edison.pipeline.score.schema_checks import check_in_worker

_TASKS: Mapping[str, tuple[str, str]] = {
    "javascript": ("edison.pipeline.score.sandbox.javascript_worker", "run_in_worker"),
    "regex": ("edison.pipeline.score.sandbox.javascript_worker", "match_in_worker"),
    "sql": ("edison.pipeline.score.assertions.sql", "check_in_worker"),
    "yaml": ("edison.pipeline.score.assertions.yaml_text", "read_in_worker"),
    "json_objects": ("edison.pipeline.score.assertions.yaml_text", "find_objects_in_worker"),
}


def do_task(question: Any) -> Any:
    """The answer to a request, which names its task."""
    if question["task"] == "schema":
        return check_in_worker(question)
    module, function = _TASKS[question["task"]]
    return getattr(importlib.import_module(module), function)(question)
