"""Catalog of providers, discovered from their modules, with the forms of their credentials."""

from functools import cache
from typing import Any

from edison.kit.registry import keys_of, load_plugin
from edison.pipeline.generate.provider import Provider

PACKAGE = "edison.pipeline.generate.providers"


@cache
def provider_keys() -> tuple[str, ...]:
    """Keys of the providers that users may choose."""
    return tuple(key for key in keys_of(PACKAGE) if not load_provider(key).is_hidden)


@cache
def load_provider(key: str) -> type[Provider]:
    """Returns the provider class `key`. Raises KeyError when there is none."""
    return load_plugin(PACKAGE, key, Provider)


def form_of(key: str) -> dict[str, Any]:
    """JSON Schema of the credential's fields; secret fields have the format `password`."""
    return load_provider(key).model_json_schema()


@cache
def secret_fields(key: str) -> tuple[str, ...]:
    """Names of the fields that are encrypted and never shown."""
    properties: dict[str, dict[str, Any]] = form_of(key).get("properties", {})
    return tuple(name for name, field in properties.items() if _is_secret(field))


def _is_secret(field: dict[str, Any]) -> bool:
    return bool(field.get("writeOnly")) or any(_is_secret(kind) for kind in field.get("anyOf", ()))
