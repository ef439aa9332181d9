"""Sandbox programs and their results, independent of how they are run."""

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from typing import Any

from edison.kit.lazy_dataclasses import dataclass

# About two hundred lines.
LONGEST_CODE = 20_000
TIME_LIMIT_SECONDS = 1.0
LONGEST_TIME_LIMIT_SECONDS = 10.0
MEMORY_LIMIT_BYTES = 64 * 2**20
MOST_HOST_CALLS = 100
# Max characters of printed output, and of exception messages.
LONGEST_PRINT = 10_000
LONGEST_MESSAGE = 500


class ProblemKind(StrEnum):
    """What is wrong with code. Read by API clients; never rename."""

    SYNTAX = "syntax"
    NO_SCORE = "no_score"
    SIGNATURE = "signature"
    RAISED = "raised"
    TIME = "time"
    MEMORY = "memory"
    CRASHED = "crashed"
    RESULT = "result"
    TOO_LONG = "too_long"
    UNAVAILABLE = "unavailable"


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeProblem:
    """Why code gave no result. `line` and `column` count from 1; None when the problem has no
    position.
    """

    kind: ProblemKind
    message: str
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        return self.message if self.line is None else f"Line {self.line}: {self.message}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """Code, followed by an expression whose value is the result. The expression can use
    `values`.
    """

    code: str
    expression: str | None = None
    values: Mapping[str, Any] = field(default_factory=dict)
    time_limit_seconds: float = TIME_LIMIT_SECONDS


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramResult:
    """Result of a program. `value` comes from untrusted code: a value that contains itself many
    times is small in memory and endless when serialised, so it is inspected, never printed or
    compared.
    """

    value: Any = None
    problem: CodeProblem | None = None
    printed: str = ""
    is_print_cut: bool = False
    seconds: float = 0.0
