"""Entry point of the engine process: `python -m edison.app.engine <descriptor of its socket>`."""

import socket
import sys

from edison.app.engine.stop_signals import leave_stopping_to_server
from edison.kit.event_loop import run
from edison.kit.memory import prepare_process
from edison.kit.startup import loading_modules


def main() -> None:
    leave_stopping_to_server()
    prepare_process()
    with loading_modules():
        from edison.app.engine.process import work  # noqa: PLC0415 - loads everything

    run(work(socket.socket(fileno=int(sys.argv[1]))))


if __name__ == "__main__":
    main()
