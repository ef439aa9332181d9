"""Which tests of a configuration are evaluated: the `--filter-…` flags."""

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any

import orjson

from edison.evals.cases import expanded_vars
from edison.evals.errors import ConfigError
from edison.evals.plan import EvalTest
from edison.kit.lazy_dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class TestSelection:
    """`failing` and `failing_only` are result files; the second leaves out errors."""

    __test__ = False

    first_n: int | None = None
    sample: int | None = None
    seed: int | None = None
    pattern: str | None = None
    metadata: Mapping[str, str] = field(default_factory=dict)
    failing: Path | None = None
    failing_only: Path | None = None


def select_tests(tests: Sequence[EvalTest], wanted: TestSelection) -> Sequence[EvalTest]:
    """Raises ConfigError."""
    found = list(tests)
    for name, value in wanted.metadata.items():
        found = [each for each in found if _has(each.metadata.get(name), value)]
    if wanted.failing is not None:
        found = _failed(found, wanted.failing, with_errors=True)
    if wanted.failing_only is not None:
        found = _failed(found, wanted.failing_only, with_errors=False)
    if wanted.pattern is not None:
        try:
            expression = re.compile(wanted.pattern)
        except re.error as wrong:
            raise ConfigError(f"--filter-pattern: {wrong}.") from wrong
        found = [each for each in found if expression.search(each.description or "")]
    if wanted.first_n is not None:
        found = found[: wanted.first_n]
    if wanted.sample is not None and wanted.sample < len(found):
        chosen = random.Random(wanted.seed).sample(range(len(found)), wanted.sample)  # noqa: S311 - not for secrets
        found = [found[at] for at in sorted(chosen)]
    return found


def _has(given: Any, wanted: str) -> bool:
    if isinstance(given, list):
        return any(wanted in str(each) for each in given)
    return given is not None and wanted in str(given)


def _failed(tests: Sequence[EvalTest], file: Path, *, with_errors: bool) -> list[EvalTest]:
    failed = _failed_vars(file, with_errors=with_errors)
    return [
        each
        for each in tests
        if any(_key(vars_, each.description) in failed for vars_ in expanded_vars(each))
    ]


def _failed_vars(file: Path, *, with_errors: bool) -> set[bytes]:
    """Raises ConfigError when the file holds no results."""
    try:
        found = orjson.loads(file.read_bytes())
        rows = found["results"]["results"]
        return {
            _key(row["testCase"].get("vars", {}), row["testCase"].get("description"))
            for row in rows
            if not row["success"] and (with_errors or row.get("failureReason") != 2)
        }
    except OSError as wrong:
        raise ConfigError(f"{file} cannot be read: {wrong.strerror}.") from wrong
    except (ValueError, KeyError, TypeError, AttributeError) as wrong:
        raise ConfigError(f"{file} holds no results of an evaluation.") from wrong


def _key(vars_: Mapping[str, Any], description: str | None) -> bytes:
    return orjson.dumps([vars_, description], option=orjson.OPT_SORT_KEYS)
