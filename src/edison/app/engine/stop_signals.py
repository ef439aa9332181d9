"""The signals that stop a server, which the engine ignores."""

import signal

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM)


def leave_stopping_to_server() -> None:
    """The server gets them, too, and then stops this process."""
    for number in STOP_SIGNALS:
        signal.signal(number, signal.SIG_IGN)
