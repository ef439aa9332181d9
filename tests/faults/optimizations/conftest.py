"""The installations of the engine's faults."""

from tests.faults.engine.conftest import (
    install,
    make_url,
    postgres_server,
    postgres_template,
    provider,
    sqlite_template,
)

__all__ = [
    "install",
    "make_url",
    "postgres_server",
    "postgres_template",
    "provider",
    "sqlite_template",
]
