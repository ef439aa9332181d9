"""RSA keys that sign sessions. All keys verify, the newest signs; rotation adds a key.

Keys are stored as `<data dir>/keys/sessions/<kid>.pem`, readable by the owner only, or one key is
given by the settings. A key id is a prefix of its public key's hash, so a copied key keeps its id.
"""

import hashlib
from functools import cache
from pathlib import Path
from typing import Any

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from edison.kit import clock
from edison.kit.errors import Unavailable
from edison.kit.key_files import list_keys, write_key
from edison.kit.lazy_dataclasses import dataclass
from edison.settings import Settings

ALGORITHM = "RS256"
KEY_BITS = 2048
# Errors of decoding a malformed token that PyJWT does not wrap, such as for deeply nested headers.
_UNREADABLE = (KeyError, TypeError, ValueError, OverflowError, RecursionError)


class BrokenSigningKey(Unavailable):
    """An existing key cannot be used."""

    code = "BROKEN_SIGNING_KEY"


@dataclass(frozen=True, slots=True)
class SigningKey:
    kid: str
    private: rsa.RSAPrivateKey


class SigningKeys:
    """Signs with the last key of the list and verifies with any."""

    def __init__(self, keys: list[SigningKey]) -> None:
        self._current = keys[-1]
        self._by_kid = {key.kid: key for key in keys}

    def sign(self, claims: dict[str, Any]) -> str:
        import jwt

        return jwt.encode(
            claims, self._current.private, ALGORITHM, headers={"kid": self._current.kid}
        )

    def read(self, token: str) -> dict[str, Any] | None:
        """The claims of a genuine, unexpired token, else None."""
        import jwt

        try:
            key = self._by_kid[jwt.get_unverified_header(token)["kid"]]
            claims: dict[str, Any] = jwt.decode(
                token,
                key.private.public_key(),
                algorithms=[ALGORITHM],
                # Times are compared with Edison's own clock below.
                options={
                    "require": ["exp", "iat", "sub", "jti"],
                    "verify_exp": False,
                    "verify_iat": False,
                },
            )
        except (jwt.InvalidTokenError, *_UNREADABLE):
            return None
        expires = claims["exp"]
        is_current = isinstance(expires, int | float) and expires > clock.now().timestamp()
        return claims if is_current else None


def load_keys(settings: Settings) -> SigningKeys:
    """The configured key, or the keys of the data directory; creates one on the first start."""
    if settings.jwt_private_key is not None:
        pem = settings.jwt_private_key.get_secret_value().encode()
        return SigningKeys([_checked_key_from(pem)])
    folder = keys_folder(settings)
    files = list_keys(folder) or [add_key(folder)]
    return SigningKeys([_key_from(file.read_bytes(), source=str(file)) for file in files])


def keys_folder(settings: Settings) -> Path:
    return settings.data_dir / "keys" / "sessions"


def add_key(folder: Path) -> Path:
    """Create a key that signs from the next start on; older keys still verify."""
    private = rsa.generate_private_key(public_exponent=65537, key_size=KEY_BITS)
    pem = private.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    return write_key(folder / f"{_kid_of(private)}.pem", pem)


@cache
def _checked_key_from(pem: bytes) -> SigningKey:
    """Cached, because checking an RSA key takes a fifth of a second."""
    return _key_from(pem, source="EDISON_JWT_PRIVATE_KEY", is_own=False)


def _key_from(pem: bytes, *, source: str, is_own: bool = True) -> SigningKey:
    """`is_own`: created by `add_key`, so the key need not be validated at every start."""
    try:
        private = serialization.load_pem_private_key(
            pem, password=None, unsafe_skip_rsa_key_validation=is_own
        )
    except (ValueError, TypeError, UnsupportedAlgorithm):
        private = None
    if not isinstance(private, rsa.RSAPrivateKey):
        raise BrokenSigningKey(
            f"{source} is not an RSA private key in PEM form. Remove it to sign with another; "
            "people will have to sign in again."
        )
    return SigningKey(_kid_of(private), private)


def _kid_of(private: rsa.RSAPrivateKey) -> str:
    public = private.public_key().public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    return hashlib.sha256(public).hexdigest()[:16]
