"""The typed form of a configuration: prompts, providers and tests, independent of the database."""

from collections.abc import Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any

from edison.evals.errors import Place
from edison.kit.lazy_dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class PythonFunction:
    """A function in a file of the user. Only the command line runs it."""

    file: Path
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalPrompt:
    """`raw` is the template; a prompt with a `function` gets its template from it, per test."""

    raw: str
    label: str
    id: str | None = None
    function: PythonFunction | None = None
    place: Place | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalProvider:
    """A provider as written. `prompts` are patterns of labels; None stands for all."""

    id: str
    label: str | None = None
    config: Mapping[str, Any] = field(default_factory=dict)
    prompts: Sequence[str] | None = None
    transform: str | None = None
    env: Mapping[str, str] = field(default_factory=dict)
    folder: Path = Path()
    place: Place | None = None

    @property
    def name(self) -> str:
        return self.label or self.id


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalTest:
    """A test after all merging and expansion. `prompts` and `providers` are patterns; None stands
    for all. `number` is that of the test in the configuration, from 0.
    """

    number: int
    vars: Mapping[str, Any]
    assertions: Sequence[Mapping[str, Any]] = ()
    threshold: float | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    metadata: Mapping[str, Any] = field(default_factory=dict)
    description: str | None = None
    prompts: Sequence[str] | None = None
    providers: Sequence[str] | None = None
    output: Any = None
    place: Place | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalColumn:
    """A prompt with a provider. `index` is its position in the results."""

    index: int
    prompt: EvalPrompt
    provider: EvalProvider


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalRow:
    """One answer to ask for. `test_index` counts tests, their expansions and repeats."""

    test_index: int
    column: EvalColumn
    test: EvalTest
    repeat: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class DerivedMetric:
    """A metric computed from the named scores of a prompt. `value` is an expression."""

    name: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalPlan:
    """What an evaluation asks. `warnings` are sentences about what was ignored."""

    description: str | None
    columns: Sequence[EvalColumn]
    rows: Sequence[EvalRow]
    config: Mapping[str, Any]
    derived_metrics: Sequence[DerivedMetric] = ()
    output_paths: Sequence[str] = ()
    max_concurrency: int | None = None
    delay_ms: int = 0
    is_cached: bool = True
    repeats: int = 1
    grader: EvalProvider | None = None
    env: Mapping[str, str] = field(default_factory=dict)
    tags: Mapping[str, str] = field(default_factory=dict)
    warnings: Sequence[str] = ()
