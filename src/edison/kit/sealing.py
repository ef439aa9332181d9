"""Secrets at rest: anyone with the public key can seal, only the private key opens (libsodium).

Every key opens, the newest seals. A sealed text names its key, so that rotating can tell what is
still sealed with an old one.
"""

import base64
import binascii
from pathlib import Path

from nacl.exceptions import CryptoError
from nacl.public import PrivateKey, SealedBox

from edison.kit.key_files import list_keys, write_key

_SEPARATOR = "."


class CannotOpen(Exception):
    """Sealed for another installation, or damaged."""


class SealingKeys:
    """`folder` is looked into again for a key that is not known yet: another process may have
    rotated the keys while this one was running.
    """

    def __init__(self, keys: list[PrivateKey], *, folder: Path | None = None) -> None:
        self._folder = folder
        self._use(keys)

    def _use(self, keys: list[PrivateKey]) -> None:
        self._current = keys[-1]
        self._by_name = {_name(key): key for key in keys}

    def seal(self, secret: str) -> str:
        sealed = SealedBox(self._current.public_key).encrypt(secret.encode())
        return _name(self._current) + _SEPARATOR + base64.b64encode(sealed).decode()

    def open(self, sealed: str) -> str:
        name, _, content = sealed.partition(_SEPARATOR)
        if name not in self._by_name and self._folder is not None:
            self._use(_read_keys(self._folder))
        try:
            return SealedBox(self._by_name[name]).decrypt(base64.b64decode(content)).decode()
        except (KeyError, CryptoError, binascii.Error, ValueError) as unreadable:
            raise CannotOpen from unreadable

    def is_current(self, sealed: str) -> bool:
        return sealed.partition(_SEPARATOR)[0] == _name(self._current)


def load_sealing_keys(folder: Path, given: str | None = None) -> SealingKeys:
    """The key given by the settings, or those in `folder`; the first start makes one."""
    if given is not None:
        return SealingKeys([_key_from(given)])
    if not list_keys(folder):
        add_sealing_key(folder)
    return SealingKeys(_read_keys(folder), folder=folder)


def _read_keys(folder: Path) -> list[PrivateKey]:
    return [_key_from(file.read_text()) for file in list_keys(folder)]


def add_sealing_key(folder: Path) -> Path:
    key = PrivateKey.generate()
    return write_key(folder / f"{_name(key)}.pem", base64.b64encode(bytes(key)))


def _key_from(text: str) -> PrivateKey:
    return PrivateKey(base64.b64decode(text.strip(), validate=True))


def _name(key: PrivateKey) -> str:
    return bytes(key.public_key)[:6].hex()
