"""Conversion of entered secrets to stored ones, and of stored secrets to plain text for calls."""

import os
from collections.abc import Mapping
from typing import Any

from edison.kit.credential_variables import Variables, is_never_allowed
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
            # Four characters would reveal too much of a short secret.
            shown = value[-4:] if len(value) >= 12 else ""
            stored[field] = {"sealed": keys.seal(value), "last_four": shown}
    return stored


def reveal(stored: Mapping[str, Any], keys: SealingKeys, variables: Variables) -> dict[str, str]:
    """The plain secrets, for a call. Raises MissingSecret."""
    return {field: _reveal(kept, keys, variables) for field, kept in stored.items()}


def _reveal(kept: Mapping[str, Any], keys: SealingKeys, variables: Variables) -> str:
    if "env" in kept:
        return _read_variable(kept["env"], variables)
    try:
        return keys.open(kept["sealed"])
    except CannotOpen as other:
        raise MissingSecret(
            "This secret was sealed with a key that is no longer here. Enter it again."
        ) from other


def _read_variable(name: str, variables: Variables) -> str:
    # The same error for variables that are not allowed and that are not set: it must not reveal
    # which variables the server has.
    is_allowed = name in variables and not is_never_allowed(name)
    value = os.environ.get(name) if is_allowed else None
    if not value:
        raise MissingSecret(
            f"The environment variable {name} is not set where Edison runs, or the setting "
            "EDISON_CREDENTIAL_VARIABLES does not allow it for credentials."
        )
    return value


def bound_hosts(stored: Mapping[str, Any], variables: Variables) -> dict[str, tuple[str, ...]]:
    """The hosts to which the operator bound each variable named in `stored`."""
    names = [kept["env"] for kept in stored.values() if "env" in kept]
    return {name: variables[name] for name in names if name in variables}
