"""Entry point of the engine process: `python -m edison.app.engine <descriptor of its socket>`."""

import signal
import socket
import sys

from edison.kit.event_loop import collect_rarely, run


def main() -> None:
    # The server gets the same signals and then stops this process.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    collect_rarely()
    from edison.app.engine.process import work  # noqa: PLC0415 - loads everything

    run(work(socket.socket(fileno=int(sys.argv[1]))))


if __name__ == "__main__":
    main()
