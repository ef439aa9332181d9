"""Hostile code: no escape, every resource bomb is stopped, and the sandbox serves the next call."""

import resource
import socket
from pathlib import Path

import pytest

from edison.pipeline.score.sandbox.program import CodeProblem, ProblemKind
from edison.pipeline.score.sandbox.score import ScorerArguments, check, try_out
from edison.pipeline.score.scorer import Scored

SAMPLE = ScorerArguments(output="x", inputs={})
# Generous, for code that ends by itself on a slow machine.
AMPLE_SECONDS = 10.0
WORKS = "def score(output, expected, inputs):\n    return 1\n"


async def attempt(body: str, seconds: float = AMPLE_SECONDS) -> Scored | CodeProblem:
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    code = f"def score(output, expected, inputs):\n{lines}\n    return 1\n"
    trial = await try_out(code, SAMPLE, time_limit_seconds=seconds)
    after = await try_out(WORKS, SAMPLE)
    assert after.outcome == Scored(value=1.0)
    return trial.outcome


NO_MODULES = [
    "subprocess",
    "socket",
    "ctypes",
    "builtins",
    "importlib",
    "inspect",
    "gc",
    "pickle",
    "threading",
    "multiprocessing",
    "urllib.request",
    "http.client",
    "signal",
    "shutil",
    "tempfile",
    "mmap",
    "code",
    "_thread",
    "posix",
    "edison",
]


@pytest.mark.parametrize("module", NO_MODULES)
async def test_there_are_no_dangerous_modules(module: str) -> None:
    got = await attempt(f"import {module}")
    assert isinstance(got, CodeProblem)
    assert got.message.startswith("ModuleNotFoundError: No module named")


WALKS = [
    "().__class__",
    "().__class__.__mro__[1].__subclasses__()",
    "object.__subclasses__()",
    "type(1).__subclasses__()",
    "type.__mro__",
    "getattr(1, '__class__')",
    "getattr(output, '__cl' + 'ass__')",
    "score.__globals__",
    "score.__code__",
    "score.__closure__",
    "similarity.__self__",
    "similarity.__globals__",
    "(lambda: 1).__code__",
    "(x for x in [1]).gi_frame",
    "'{0.__class__}'.format(1)",
    "'{0.__globals__}'.format(similarity)",
    "f'{output.__class__.__mro__}'",
    "'%(a.__class__)s' % {'a': 1}",
    "__builtins__",
    "__import__('os')",
    "__loader__",
    "globals()",
    "vars()",
    "compile('1', 'a', 'eval')",
    "breakpoint()",
    "input()",
    "exit()",
    "eval('__import__(\"os\")')",
    "exec('import socket')",
]
MODULE_WALKS = {
    "os": ["system('id')", "popen('id')", "fork()", "kill(1, 9)", "execv('/bin/sh', [])"],
    "sys": ["modules", "_getframe()", "exit()", "settrace(None)", "path.append('/')"],
}


@pytest.mark.parametrize(
    "body",
    WALKS
    + [f"import {name}\n{name}.{what}" for name, some in MODULE_WALKS.items() for what in some],
)
async def test_attributes_and_builtins_give_no_escape(body: str) -> None:
    got = await attempt(body)
    assert isinstance(got, CodeProblem)
    assert got.kind is ProblemKind.RAISED
    assert got.message.split(":")[0] in {
        "AttributeError",
        "NameError",
        "ModuleNotFoundError",
        "KeyError",
    }


async def test_an_exception_carries_no_frames() -> None:
    got = await attempt("try:\n    1 / 0\nexcept Exception as e:\n    e.__traceback__.tb_frame")
    assert isinstance(got, CodeProblem)
    assert got.message.startswith("AttributeError")


@pytest.mark.parametrize(
    "reading",
    [
        "open({path!r}).read()",
        "open({path!r}, 'w').write('x')",
        "import pathlib\npathlib.Path({path!r}).read_text()",
        "import pathlib\npathlib.Path({path!r}).write_text('x')",
        "import pathlib\npathlib.Path({path!r}).unlink()",
        "import os\nos.listdir('/')",
        "import os\nos.remove({path!r})",
        "import os\nos.environ['PATH']",
        "import os\nos.getenv('PATH')",
    ],
)
async def test_there_are_no_files_and_no_environment(reading: str, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("secret")
    got = await attempt(reading.format(path=str(secret)))
    assert isinstance(got, CodeProblem)
    assert "secret" not in got.message.replace(str(secret), "")
    assert secret.read_text() == "secret"


async def test_code_cannot_open_network_connections() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0)
        port = server.getsockname()[1]
        for way in (
            f"import asyncio\nasyncio.run(asyncio.open_connection('127.0.0.1', {port}))",
            f"open('http://127.0.0.1:{port}/').read()",
        ):
            assert isinstance(await attempt(way), CodeProblem)
        with pytest.raises(BlockingIOError):
            server.accept()


NESTED = "x, y = [1], [1]\nfor i in range(60):\n    x, y = [x, x], [y, y]\n"


@pytest.mark.parametrize(
    "body",
    [
        "while True: pass",
        "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
        "sum(range(10 ** 12))",
        "10 ** 10 in iter(int, 1)",
        "while True: print('x' * 1000)",
        "def f(n):\n    try:\n        f(n + 1)\n    finally:\n        f(n + 1)\nf(0)",
        "import math\nmath.comb(10 ** 6, 5 * 10 ** 5)",
        NESTED + "str(x)",
        NESTED + "x == y",
    ],
)
async def test_code_that_never_ends_is_stopped(body: str) -> None:
    assert await attempt(body, 0.1) == CodeProblem(
        kind=ProblemKind.TIME, message="The code took longer than 0.1 s."
    )


@pytest.mark.parametrize(
    "body",
    [
        "x = []\nwhile True: x.append('a' * 1000)",
        "x = 'a'\nwhile True: x += x",
        "10 ** 10 ** 8",
        "1 << 10 ** 12",
        "'a' * 10 ** 10",
        "[0] * 10 ** 9",
        "bytes(10 ** 10)",
        "'a'.zfill(10 ** 10)",
        "'%1000000000d' % 1",
        "list(range(10 ** 10))",
        "'ab'.replace('', 'x' * 10 ** 8)",
        "import math\nmath.factorial(10 ** 8)",
        "return 'a' * 60_000_000",
        "return [0] * 3_900_000",
    ],
)
async def test_memory_bombs_are_stopped(body: str) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    got = await attempt(body)
    assert isinstance(got, CodeProblem)
    assert got.kind is ProblemKind.MEMORY
    assert got.message == "The code needs more than 64 MB of memory."
    grown_kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown_kilobytes < 100_000


async def test_recursion_ends_in_an_error() -> None:
    got = await attempt("def f(): return f()\nf()")
    assert isinstance(got, CodeProblem)
    assert got.message == "RecursionError: maximum recursion depth exceeded"


@pytest.mark.parametrize(
    "body", ["import time\ntime.sleep(9)", "import asyncio\nasyncio.run(asyncio.sleep(9))"]
)
async def test_code_may_not_sleep(body: str) -> None:
    got = await attempt(body)
    assert isinstance(got, CodeProblem)
    assert got.message == "TimeoutError: Code may not sleep."


@pytest.mark.parametrize(
    "body",
    [
        NESTED + "return x",
        NESTED + "return {'score': 1, 'reason': x}",
        "x = 1\nfor i in range(50000): x = [x]\nreturn x",
        "x = []\nx.append(x)\nreturn x",
        "x = {'score': 1}\nx['all'] = x\nreturn x",
        "return 'x' * 10 ** 7",
        "return {'score': 1, 'reason': ['x' * 10 ** 6] * 10 ** 4}",
        "return score",
        "return similarity",
        "class A: pass\nreturn A()",
    ],
)
async def test_huge_and_unsupported_results_are_refused(body: str) -> None:
    got = await attempt(body)
    assert isinstance(got, CodeProblem)
    assert got.kind is ProblemKind.RESULT
    assert len(got.message) < 200


async def test_a_huge_error_is_cut() -> None:
    got = await attempt("raise ValueError('a' * 10 ** 7)")
    assert isinstance(got, CodeProblem)
    assert got.message == f"ValueError: {'a' * 488}…"


@pytest.mark.parametrize(
    "code",
    [
        "-" * 20_000 + "1",
        "x = " + "[" * 9_000,
        "1" + "+1" * 9_000,
        "x = 1;" * 3_300,
        "\x00",
        "\ud800",
    ],
)
async def test_source_that_breaks_parsers_breaks_nothing(code: str) -> None:
    assert isinstance(await check(code), CodeProblem)


@pytest.mark.parametrize("raised", ["SystemExit()", "KeyboardInterrupt()", "SystemExit(3)"])
async def test_code_cannot_end_the_process(raised: str) -> None:
    assert isinstance(await attempt(f"raise {raised}"), CodeProblem)
