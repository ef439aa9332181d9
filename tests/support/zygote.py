"""Real processes that start quickly: forked from a process that has already imported Edison.

For tests that kill servers or call many commands.
"""

import multiprocessing
import os
import signal
import time
from multiprocessing.context import ForkServerProcess

ZYGOTE = multiprocessing.get_context("forkserver")
# Shared by all tests, so it preloads the modules that any of them needs.
ZYGOTE.set_forkserver_preload(
    [
        "edison.app.main",
        "edison.cli.main",
        "tests.faults.engine.process",
        "tests.faults.engine.provider",
    ]
)
END_SECONDS = 90


class Child:
    """A started process."""

    def __init__(self, process: ForkServerProcess) -> None:
        self._process = process
        process.start()
        assert process.pid is not None
        self.pid = process.pid

    @property
    def is_running(self) -> bool:
        return self._process.is_alive()

    @property
    def exit_code(self) -> int | None:
        return self._process.exitcode

    def kill(self) -> None:
        """SIGKILL, like a power cut; returns when the process is dead."""
        self._process.kill()
        self._process.join()

    def freeze(self) -> None:
        os.kill(self.pid, signal.SIGSTOP)

    def thaw(self) -> None:
        os.kill(self.pid, signal.SIGCONT)

    def wait(self) -> int:
        """Its exit code, once it has exited by itself."""
        self._process.join(END_SECONDS)
        assert self._process.exitcode is not None, "it did not end"
        return self._process.exitcode

    def stop(self) -> float:
        """Stops it as an operator would; returns how many seconds that took."""
        began = time.monotonic()
        self._process.terminate()
        self._process.join(END_SECONDS)
        assert not self._process.is_alive(), "it did not end"
        return time.monotonic() - began
