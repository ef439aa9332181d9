"""Calls the `edison` command as scripts do: arguments in, exit code and output out."""

import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from edison.cli.main import main as edison
from tests.support.patience import PATIENCE_SECONDS
from tests.support.zygote import ZYGOTE


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    returncode: int
    stdout: str
    stderr: str


def run(*arguments: object, stdin: str = "", **environment: str) -> Ended:
    """In a separate process that has only these settings."""
    with tempfile.TemporaryDirectory() as told:
        folder = Path(told)
        (folder / "0").write_text(stdin)
        process = ZYGOTE.Process(
            target=_call, args=([str(each) for each in arguments], environment, folder)
        )
        process.start()
        process.join(PATIENCE_SECONDS)
        if process.exitcode is None:
            process.kill()
            process.join()
            raise AssertionError(f"It did not end: {(folder / '2').read_text()}")
        return Ended(
            returncode=process.exitcode,
            stdout=(folder / "1").read_text(),
            stderr=(folder / "2").read_text(),
        )


def _call(arguments: Sequence[str], environment: Mapping[str, str], folder: Path) -> None:
    for descriptor, mode in ((0, "r"), (1, "w"), (2, "w")):
        with (folder / str(descriptor)).open(mode) as file:
            os.dup2(file.fileno(), descriptor)
    # Python's own streams would keep a reference to the first ones.
    sys.stdin, sys.stdout, sys.stderr = (
        os.fdopen(descriptor, mode, closefd=False)
        for descriptor, mode in ((0, "r"), (1, "w"), (2, "w"))
    )
    for name in [name for name in os.environ if name.startswith("EDISON_")]:
        del os.environ[name]
    os.environ |= environment
    sys.argv = ["edison", *arguments]
    try:
        edison()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
