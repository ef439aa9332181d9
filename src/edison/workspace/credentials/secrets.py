"""From what people enter to what is stored, and from there to a provider that can be called."""

import os
from collections.abc import Mapping
from typing import Any

from edison.kit.sealing import CannotOpen, SealingKeys
from edison.workspace.credentials.errors import MissingSecret
from edison.workspace.credentials.schemas import SecretInput


def store(secrets: Mapping[str, SecretInput], keys: SealingKeys) -> dict[str, Any]:
    stored: dict[str, Any] = {}
    for field, given in secrets.items():
        if given.value is None:
            stored[field] = {"env": given.env}
        else:
            value = given.value.get_secret_value()
            # Four characters of a short secret would give too much of it away.
            shown = value[-4:] if len(value) >= 12 else ""
            stored[field] = {"sealed": keys.seal(value), "last_four": shown}
    return stored


def reveal(stored: Mapping[str, Any], keys: SealingKeys) -> dict[str, str]:
    """The secrets themselves, for a call. Raises MissingSecret."""
    return {field: _reveal(kept, keys) for field, kept in stored.items()}


def _reveal(kept: Mapping[str, Any], keys: SealingKeys) -> str:
    if "env" in kept:
        value = os.environ.get(kept["env"])
        if not value:
            raise MissingSecret(
                f"The environment variable {kept['env']} is not set where Edison runs."
            )
        return value
    try:
        return keys.open(kept["sealed"])
    except CannotOpen as other:
        raise MissingSecret(
            "This secret was sealed with a key that is no longer here. Enter it again."
        ) from other
