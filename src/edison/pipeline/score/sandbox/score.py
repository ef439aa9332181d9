"""Validates, tries out and runs the code of a custom scorer.

The code defines `def score(output, expected, inputs)`, called with the answer, the expected answer
or None, and the case's inputs as a dict.
"""

import ast
from collections.abc import Mapping
from typing import Any

from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.score.sandbox.program import (
    LONGEST_CODE,
    TIME_LIMIT_SECONDS,
    CodeProblem,
    ProblemKind,
    Program,
    ProgramResult,
)
from edison.pipeline.score.sandbox.result import UnusableResult, read_result
from edison.pipeline.score.sandbox.workers import SandboxUnavailable, sandbox
from edison.pipeline.score.scorer import Scored

_FUNCTION = "score"
_PARAMETERS = 3
# Names unlikely to occur in the code.
_CALL = f"{_FUNCTION}(edison_output_, edison_expected_, edison_inputs_)"

# The sandbox's message for an undefined name.
_NAME_ERROR = f"NameError: name '{_FUNCTION}' is not defined"
_SIGNATURE = "score takes three arguments: def score(output, expected, inputs)."
_NO_SCORE = "The code must define a function: def score(output, expected, inputs)."


@dataclass(frozen=True, slots=True, kw_only=True)
class ScorerArguments:
    """Arguments of a custom scorer."""

    output: str
    expected: str | None = None
    inputs: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeTrial:
    """Result of a trial run: the score or the problem, the printed output and the duration."""

    outcome: Scored | CodeProblem
    printed: str
    is_print_cut: bool
    seconds: float


async def check(code: str) -> CodeProblem | None:
    """Returns the first problem that keeps the code from being a scorer. Runs the module-level
    code, but not `score`.
    """
    if len(code) > LONGEST_CODE:
        return _too_long()
    ran = await _run(Program(code=code, expression=_FUNCTION))
    if ran.problem is None:
        return _find_wrong_signature(code)
    if ran.problem.message == _NAME_ERROR:
        return CodeProblem(kind=ProblemKind.NO_SCORE, message=_NO_SCORE)
    return ran.problem


async def try_out(
    code: str, sample: ScorerArguments, *, time_limit_seconds: float = TIME_LIMIT_SECONDS
) -> CodeTrial:
    """Scores one sample and returns all details."""
    if len(code) > LONGEST_CODE:
        ran = ProgramResult(problem=_too_long())
    else:
        ran = await _run(_program(code, sample, time_limit_seconds))
    return CodeTrial(
        outcome=_read(ran),
        printed=ran.printed,
        is_print_cut=ran.is_print_cut,
        seconds=ran.seconds,
    )


def _program(code: str, sample: ScorerArguments, time_limit_seconds: float) -> Program:
    return Program(
        code=code,
        expression=_CALL,
        values={
            "edison_output_": sample.output,
            "edison_expected_": sample.expected,
            "edison_inputs_": dict(sample.inputs),
        },
        time_limit_seconds=time_limit_seconds,
    )


async def _run(program: Program) -> ProgramResult:
    try:
        return await sandbox().run(program)
    except SandboxUnavailable as unavailable:
        problem = CodeProblem(kind=ProblemKind.UNAVAILABLE, message=str(unavailable))
        return ProgramResult(problem=problem)


def _read(ran: ProgramResult) -> Scored | CodeProblem:
    if ran.problem is not None:
        return ran.problem
    try:
        return read_result(ran.value)
    except UnusableResult as unusable:
        return CodeProblem(kind=ProblemKind.RESULT, message=str(unusable))


def _too_long() -> CodeProblem:
    message = f"Code has at most {LONGEST_CODE:,} characters."
    return CodeProblem(kind=ProblemKind.TOO_LONG, message=message)


def _find_wrong_signature(code: str) -> CodeProblem | None:
    """Checked in the source, because the sandbox cannot inspect signatures. The sandbox supports a
    newer Python syntax: code that cannot be parsed here is not checked.
    """
    try:
        module = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    found = [
        node
        for node in module.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == _FUNCTION
    ]
    if not found:
        return None
    last = found[-1]
    if isinstance(last, ast.AsyncFunctionDef):
        message = "score must be a plain function, not an async one."
    elif not _takes_three(last.args):
        message = _SIGNATURE
    else:
        return None
    return CodeProblem(
        kind=ProblemKind.SIGNATURE, message=message, line=last.lineno, column=last.col_offset + 1
    )


def _takes_three(given: ast.arguments) -> bool:
    most = len(given.posonlyargs) + len(given.args)
    least = most - len(given.defaults)
    needs_names = any(default is None for default in given.kw_defaults)
    return least <= _PARAMETERS and (most >= _PARAMETERS or bool(given.vararg)) and not needs_names
