"""Fields shared by credential forms, and the normalisation of their values."""

from dataclasses import replace
from typing import Annotated

from pydantic import AfterValidator, Field, SecretStr
from pydantic.config import JsonDict

from edison.pipeline.generate.addresses import AddressRefused, read_target
from edison.pipeline.generate.outcome import CallFailed, FailureReason
from edison.pipeline.generate.wire.failures import Asked, failed


def _base_url(value: str) -> str:
    url = value.strip().rstrip("/")
    try:
        # Vendor libraries parse it again: reject text that parsers read differently.
        read_target(url)
    except AddressRefused as refused:
        raise ValueError(str(refused)) from refused
    if "?" in url or "#" in url or "\\" in url or not url.isprintable():
        raise ValueError("An address has no question mark, hash sign, backslash or line break.")
    return url


BaseUrl = Annotated[
    str, AfterValidator(_base_url), Field(max_length=2000, json_schema_extra={"format": "uri"})
]
Secret = Annotated[SecretStr, Field(min_length=1, max_length=20_000)]

# `json_schema_extra` of rarely needed fields: forms collapse them.
ADVANCED: JsonDict = {"x-advanced": True}


class UnusableCredential(Exception):
    """The credential cannot be used. The message is a sentence that does not contain the secret."""

    def failure(self, asked: Asked) -> CallFailed:
        return replace(failed(asked, FailureReason.INVALID_KEY, str(self)), is_unsent=True)


def sendable(secret: SecretStr) -> str:
    """Returns the secret without the white space that pasting adds. Raises UnusableCredential."""
    value = secret.get_secret_value().strip()
    if not value or not all("!" <= character <= "~" for character in value):
        raise UnusableCredential(
            "The key holds a line break, space or letter that keys never have. Enter it again."
        )
    return value
