"""Main program of a limited worker: sets its own resource limits, then answers requests from
standard input until it closes. Started by `limited`.
"""

import resource
import sys
import time
from pathlib import Path
from typing import BinaryIO

import orjson

from edison.pipeline.score.sandbox.limited_tasks import do_task

_HEADER_BYTES = 4
_STATUS = Path("/proc/self/statm")


def main() -> None:
    processor_seconds, memory_bytes = int(sys.argv[1]), int(sys.argv[2])
    _limit_memory(memory_bytes)
    for kind in (resource.RLIMIT_CORE, resource.RLIMIT_FSIZE):
        resource.setrlimit(kind, (0, 0))
    source, target = sys.stdin.buffer, sys.stdout.buffer
    while header := source.read(_HEADER_BYTES):
        question = orjson.loads(source.read(int.from_bytes(header)))
        _allow_time(processor_seconds)
        _answer(target, orjson.dumps(do_task(question)))


def _answer(target: BinaryIO, answer: bytes) -> None:
    target.write(len(answer).to_bytes(_HEADER_BYTES) + answer)
    target.flush()


def _limit_memory(size: int) -> None:
    """Allows `size` bytes more than the process uses now; where that is unknown, twice `size`."""
    try:
        taken = int(_STATUS.read_text().split()[0]) * resource.getpagesize()
    except OSError:
        taken = size
    limit = taken + size
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def _allow_time(seconds: int) -> None:
    """CPU time for one request: the system ends a process that exceeds it."""
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time()) + 1 + seconds, hard))


if __name__ == "__main__":
    main()
