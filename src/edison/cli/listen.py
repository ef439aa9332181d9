"""The server's listening socket."""

import errno
import socket
from collections.abc import Callable
from typing import TYPE_CHECKING

from edison.cli.context import fail

if TYPE_CHECKING:
    from edison.settings import Settings

PORTS_TO_TRY = 50
BACKLOG = 2048
_ANYWHERE = ("0.0.0.0", "::", "", "localhost")  # noqa: S104 - compared, not listened on


def listen(settings: "Settings", *, say: Callable[[str], None]) -> socket.socket:
    """A listening socket. Exits with 1 when the port is in use, except for the default port: then
    the next free one is used and reported with `say`.
    """
    host, port = settings.host, settings.port
    is_default = "port" not in settings.model_fields_set
    last = min(port + PORTS_TO_TRY, 65535) if is_default else port
    for candidate in range(port, last + 1):
        listening = _try_to_listen(host, candidate)
        if listening is None:
            continue
        if candidate != port:
            say(f"  Port {port} is in use; using {candidate}. Set another with --port.")
        return listening
    if is_default:
        fail(f"Ports {port} to {last} are in use. Set another with --port.")
    fail(f"Port {port} is in use. Set another with --port or EDISON_PORT.")


def _try_to_listen(host: str, port: int) -> socket.socket | None:
    """None when the port is in use. Listens at once: two sockets can be bound to one port, but only
    one of them can listen.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(BACKLOG)
    except PermissionError:
        fail(f"Port {port} requires elevated privileges. Use a port above 1023.")
    except OSError as wrong:
        listening.close()
        if wrong.errno == errno.EADDRINUSE:
            return None
        if isinstance(wrong, socket.gaierror) or wrong.errno == errno.EADDRNOTAVAIL:
            fail(f"Cannot listen on {host}: not an address of this machine.")
        fail(f"Cannot listen on {host}: {wrong.strerror}.")
    listening.set_inheritable(True)
    return listening


def url_of(host: str, listening: socket.socket) -> str:
    """The URL to open on this machine."""
    shown = "127.0.0.1" if host in _ANYWHERE else host
    shown = f"[{shown}]" if ":" in shown else shown
    return f"http://{shown}:{listening.getsockname()[1]}"
