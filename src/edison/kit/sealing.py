"""Encryption of secrets at rest with libsodium sealed boxes (X25519).

All keys can open, the newest seals. A sealed text carries the name of its key, so that key rotation
finds the secrets sealed with an older one.
"""

import base64
import binascii
from pathlib import Path

from nacl.exceptions import CryptoError
from nacl.public import PrivateKey, SealedBox

from edison.kit.errors import Unavailable
from edison.kit.key_files import list_keys, write_key

_SEPARATOR = "."


class CannotOpen(Exception):
    """The secret was sealed with an unknown key, or is damaged."""


class BrokenSealingKey(Unavailable):
    """A configured key cannot be read."""

    code = "BROKEN_SEALING_KEY"


class SealingKeys:
    """Rereads `folder` when a secret needs an unknown key: another process may have rotated the
    keys since this one started.
    """

    def __init__(self, keys: list[PrivateKey], *, folder: Path | None = None) -> None:
        self._folder = folder
        self._use(keys)

    def _use(self, keys: list[PrivateKey]) -> None:
        self._current = keys[-1]
        self._by_name = {_name(key): key for key in keys}

    @property
    def current_name(self) -> str:
        """The name of the sealing key."""
        return _name(self._current)

    def seal(self, secret: str) -> str:
        sealed = SealedBox(self._current.public_key).encrypt(secret.encode())
        return self.current_name + _SEPARATOR + base64.b64encode(sealed).decode()

    def open(self, sealed: str) -> str:
        name, _, content = sealed.partition(_SEPARATOR)
        if name not in self._by_name and self._folder is not None:
            self._use(_read_keys(self._folder))
        try:
            return SealedBox(self._by_name[name]).decrypt(base64.b64decode(content)).decode()
        except (KeyError, CryptoError, binascii.Error, ValueError) as unreadable:
            raise CannotOpen from unreadable

    def is_current(self, sealed: str) -> bool:
        return key_name(sealed) == self.current_name

    def has_key_of(self, sealed: str) -> bool:
        return key_name(sealed) in self._by_name


def key_name(sealed: str) -> str:
    """The name of the key that opens a sealed text; also the stem of its file name."""
    return sealed.partition(_SEPARATOR)[0]


def find_sealing_keys(folder: Path, given: str | None = None) -> SealingKeys | None:
    """The comma-separated keys of the settings, else those in `folder`, else None."""
    if given is not None:
        source = "EDISON_SEALING_PRIVATE_KEY"
        return SealingKeys([_key_from(text, source=source) for text in given.split(",")])
    keys = _read_keys(folder)
    return SealingKeys(keys, folder=folder) if keys else None


def load_sealing_keys(folder: Path, given: str | None = None) -> SealingKeys:
    """Like `find_sealing_keys`, but creates a key if there is none."""
    keys = find_sealing_keys(folder, given)
    if keys is None:
        add_sealing_key(folder)
        keys = SealingKeys(_read_keys(folder), folder=folder)
    return keys


def _read_keys(folder: Path) -> list[PrivateKey]:
    return [_key_from(file.read_text(), source=str(file)) for file in list_keys(folder)]


def add_sealing_key(folder: Path) -> Path:
    key = PrivateKey.generate()
    return write_key(folder / f"{_name(key)}.pem", base64.b64encode(bytes(key)))


def _key_from(text: str, *, source: str) -> PrivateKey:
    try:
        return PrivateKey(base64.b64decode(text.strip(), validate=True))
    except (binascii.Error, CryptoError, ValueError) as broken:
        raise BrokenSealingKey(
            f"{source} does not hold an X25519 key in base64. Restore it from a backup."
        ) from broken


def _name(key: PrivateKey) -> str:
    return bytes(key.public_key)[:6].hex()
