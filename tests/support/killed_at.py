"""Runs the `edison` command and kills it with SIGKILL at the n-th call of a function.

python -m tests.support.killed_at edison.db.sealed:update 2 --data-dir … keys rotate
"""

import importlib
import os
import signal
import sys
from typing import Any

from edison.cli.main import main


def _kill_at(point: str, times: int) -> None:
    module_name, _, path = point.partition(":")
    *way, name = path.split(".")
    holder: Any = importlib.import_module(module_name)
    for part in way:
        holder = getattr(holder, part)
    real = getattr(holder, name)
    left = times

    def deadly(*arguments: Any, **options: Any) -> Any:
        nonlocal left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*arguments, **options)

    setattr(holder, name, deadly)


if __name__ == "__main__":
    _kill_at(sys.argv[1], int(sys.argv[2]))
    sys.argv = ["edison", *sys.argv[3:]]
    main()
