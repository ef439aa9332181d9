"""What is run in the sandbox, and how that ends. Nothing here knows how it is run."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

# A long scorer has some two hundred lines.
LONGEST_CODE = 20_000
TIME_LIMIT_SECONDS = 1.0
LONGEST_TIME_LIMIT_SECONDS = 10.0
MEMORY_LIMIT_BYTES = 64 * 2**20
MOST_HOST_CALLS = 100
# Of what the code prints, and of what its exceptions say.
LONGEST_PRINT = 10_000
LONGEST_MESSAGE = 500


class ProblemKind(StrEnum):
    """What is wrong with code. Programs read it; never rename."""

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
    """Why code gave no result; `line` and `column` count from 1, None when no place is to blame."""

    kind: ProblemKind
    message: str
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        return self.message if self.line is None else f"Line {self.line}: {self.message}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """Code, and then an expression that is worth something. The expression sees `values`."""

    code: str
    expression: str | None = None
    values: Mapping[str, Any] = field(default_factory=dict)
    time_limit_seconds: float = TIME_LIMIT_SECONDS


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """How a program ended. `value` is what foreign code made: a value that holds itself many times
    over is small here and endless when written out, so it is looked at, never printed or compared.
    """

    value: Any = None
    problem: CodeProblem | None = None
    printed: str = ""
    is_print_cut: bool = False
    seconds: float = 0.0
