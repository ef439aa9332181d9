"""Commands, Python files and HTTP addresses as providers. They run with the rights of the person
who starts the command, so only the command line uses this module.
"""

import asyncio
import json
import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from edison.evals.assertion_files import call_of
from edison.evals.cells import CellGroup, EvalCell
from edison.evals.errors import ConfigError
from edison.evals.http_provider import http_function
from edison.evals.plan import EvalProvider
from edison.evals.start import RECORDED
from edison.evals.targets import Target, TargetKind, target_of
from edison.pipeline.generate.local_functions import LocalAnswer, LocalFunction
from edison.pipeline.generate.outcome import Usage
from edison.pipeline.render.nunjucks.javascript import is_number, to_json
from edison.pipeline.score.assertions.code import python_code
from edison.pipeline.score.assertions.model import TrustedPython

_LONGEST_ERROR = 500


def functions_of(
    groups: Sequence[CellGroup], *, python: TrustedPython, env: Mapping[str, str]
) -> dict[str, LocalFunction]:
    """The functions that the runs of these groups ask, by the name of their model."""
    cells = [cell for group in groups for cell in group.cells.values()]
    found: dict[str, LocalFunction] = {}
    providers = {id(cell.row.column.provider): cell.row.column.provider for cell in cells}
    for provider in providers.values():
        target = target_of(provider, env)
        if target.is_code:
            asked = [cell for cell in cells if cell.row.column.provider is provider]
            found[target.model] = _function(provider, target, _vars_by_prompt(asked), python)
    recorded = [cell for group in groups if group.is_recorded for cell in group.cells.values()]
    if recorded:
        found[RECORDED] = _recorded({cell.sent(): cell.row.test.output for cell in recorded})
    return found


def _vars_by_prompt(cells: Sequence[EvalCell]) -> dict[str, Mapping[str, Any]]:
    return {cell.sent(): cell.vars for cell in cells}


def _function(
    provider: EvalProvider,
    target: Target,
    vars_by_prompt: Mapping[str, Mapping[str, Any]],
    python: TrustedPython,
) -> LocalFunction:
    if target.kind is TargetKind.COMMAND:
        return _command(provider, target, vars_by_prompt)
    if target.kind is TargetKind.HTTP:
        return http_function(provider, vars_by_prompt)
    return _python(provider, target, vars_by_prompt, python)


def _recorded(outputs: Mapping[str, Any]) -> LocalFunction:
    async def answer(prompt: str) -> LocalAnswer:
        return _read({"output": outputs.get(prompt)})

    return answer


def _options(provider: EvalProvider) -> dict[str, Any]:
    return {"id": provider.id, "label": provider.label, "config": dict(provider.config)}


def _command(
    provider: EvalProvider, target: Target, vars_by_prompt: Mapping[str, Mapping[str, Any]]
) -> LocalFunction:
    try:
        command = shlex.split(target.model)
    except ValueError as wrong:
        raise ConfigError(f"The command cannot be read: {wrong}.", provider.place) from wrong

    async def answer(prompt: str) -> LocalAnswer:
        context = json.dumps({"vars": dict(vars_by_prompt.get(prompt, {}))}, default=str)
        try:
            process = await asyncio.create_subprocess_exec(
                *command,
                prompt,
                json.dumps(_options(provider), default=str),
                context,
                cwd=provider.folder,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                # Ctrl+C is for the command, which lets calls end.
                start_new_session=True,
            )
        except OSError as wrong:
            return LocalAnswer(error=f"{command[0]} cannot be started: {wrong.strerror}.")
        try:
            written, complaint = await process.communicate()
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        if process.returncode:
            said = complaint.decode("utf-8", "replace").strip()[-_LONGEST_ERROR:]
            return LocalAnswer(error=f"{command[0]} ended with {process.returncode}. {said}")
        return LocalAnswer(text=written.decode("utf-8", "replace").strip())

    return answer


def _python(
    provider: EvalProvider,
    target: Target,
    vars_by_prompt: Mapping[str, Mapping[str, Any]],
    python: TrustedPython,
) -> LocalFunction:
    if target.file is None or target.function is None:
        raise ConfigError("The provider names no function.", provider.place)
    arguments = 'output, context["options"], context["context"]'
    code = python_code(call_of(target.file, target.function, arguments))

    async def answer(prompt: str) -> LocalAnswer:
        context = {
            "options": _options(provider),
            "context": {"vars": dict(vars_by_prompt.get(prompt, {}))},
        }
        try:
            return _read(await python.run(code, prompt, context))
        except ValueError as wrong:
            return LocalAnswer(error=str(wrong)[:_LONGEST_ERROR])

    return answer


def _read(found: Any) -> LocalAnswer:
    """What a Python provider returned: an object with `output` or `error`, or the output."""
    if not isinstance(found, dict) or not ({"output", "error"} & found.keys()):
        found = {"output": found}
    if found.get("error"):
        return LocalAnswer(error=str(found["error"])[:_LONGEST_ERROR])
    output = found.get("output")
    if output is None:
        return LocalAnswer(error="The code gave no output.")
    tokens = found.get("tokenUsage")
    usage = None
    if isinstance(tokens, dict) and is_number(tokens.get("prompt")):
        usage = Usage(
            input_tokens=int(tokens["prompt"]),
            output_tokens=int(tokens.get("completion") or 0),
        )
    text = output if isinstance(output, str) else str(to_json(output))
    return LocalAnswer(text=text, usage=usage)
