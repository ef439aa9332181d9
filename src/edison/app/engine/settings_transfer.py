"""Hands the server's settings, with those of its command line, to the engine process."""

import pickle
import socket
import struct

from edison.settings import Settings

_LENGTH = struct.Struct("!I")


def send_settings(connection: socket.socket, settings: Settings) -> None:
    content = pickle.dumps(settings.model_dump())
    connection.sendall(_LENGTH.pack(len(content)) + content)


def receive_settings(connection: socket.socket) -> Settings:
    """Raises EOFError if the server is gone."""
    (length,) = _LENGTH.unpack(_read(connection, _LENGTH.size))
    return Settings(**pickle.loads(_read(connection, length)))  # noqa: S301 - from its parent


def _read(connection: socket.socket, length: int) -> bytes:
    content = bytearray()
    while len(content) < length:
        if not (piece := connection.recv(length - len(content))):
            raise EOFError
        content += piece
    return bytes(content)
