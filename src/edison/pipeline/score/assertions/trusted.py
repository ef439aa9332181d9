"""The runner of Python code outside of the sandbox, if this process has one. Only `edison eval`
sets it: code of a configuration then has the rights of the person who starts the command, like a
test suite.
"""

import asyncio
import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from edison.pipeline.score.assertions.model import TrustedPython

_PROGRAM = """
import json, sys
given = json.load(sys.stdin)
space = {"__name__": "assertion"}
out, sys.stdout = sys.stdout, sys.stderr
try:
    exec(given["code"], space)
    answer = {"value": space["main"](given["output"], given["context"])}
except BaseException as wrong:
    answer = {"error": f"{type(wrong).__name__}: {wrong}"}
out.write(json.dumps(answer, default=str))
"""
_SECONDS = 60


class PythonProcess:
    """Runs each piece of code in a process of its own, with this Python."""

    async def run(self, code: str, output: Any, context: Mapping[str, Any]) -> Any:
        """Raises ValueError with the message of the exception."""
        given = json.dumps({"code": code, "output": output, "context": context}, default=str)
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-c",
            _PROGRAM,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            # Ctrl+C is for the command, which lets calls end.
            start_new_session=True,
        )
        try:
            async with asyncio.timeout(_SECONDS):
                written, _ = await process.communicate(given.encode())
        except TimeoutError:
            raise ValueError(f"The code took more than {_SECONDS} seconds.") from None
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        try:
            answer = json.loads(written)
        except ValueError:
            raise ValueError("The code ended the process.") from None
        if "error" in answer:
            raise ValueError(answer["error"])
        return answer["value"]


_runner: TrustedPython | None = None


def trusted_python() -> TrustedPython | None:
    return _runner


@contextmanager
def with_trusted_python(runner: TrustedPython) -> Iterator[None]:
    """Lets assertions run Python code outside of the sandbox while the block runs."""
    global _runner  # noqa: PLW0603 - one per process, set by the command line
    before, _runner = _runner, runner
    try:
        yield
    finally:
        _runner = before
