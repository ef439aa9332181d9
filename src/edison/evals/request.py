"""What is asked of a configuration, and its parts."""

from collections.abc import Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any

from edison.evals.files import Files
from edison.evals.plan import EvalPrompt, EvalProvider, EvalTest
from edison.evals.selection import TestSelection
from edison.kit.lazy_dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalRequest:
    """What the command line asks for. Values that are None leave the choice to the files."""

    folder: Path
    configs: Sequence[Path] = ()
    prompts: Sequence[str] = ()
    providers: Sequence[str] = ()
    tests: str | None = None
    assertions: str | None = None
    model_outputs: str | None = None
    vars: Mapping[str, str] = field(default_factory=dict)
    env: Mapping[str, str] = field(default_factory=dict)
    repeats: int | None = None
    max_concurrency: int | None = None
    is_cached: bool | None = None
    provider_filter: str | None = None
    selection: TestSelection = field(default_factory=TestSelection)
    grader: str | None = None
    allows_outside: bool = False
    is_confined: bool = False
    """Reads nothing outside of `folder`, whatever repository it is in."""

    def files(self, folder: Path) -> Files:
        if self.is_confined:
            root = self.folder.resolve()
            return Files(folder=folder.resolve(), root=root, is_confined=True)
        return Files.of(folder, allows_outside=self.allows_outside)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigParts:
    """What a configuration holds, before prompts and providers are combined. `config` is the whole
    of it, with the places of its values.
    """

    config: Mapping[str, Any]
    prompts: Sequence[EvalPrompt]
    providers: Sequence[EvalProvider]
    tests: Sequence[EvalTest]
    warnings: Sequence[str]
