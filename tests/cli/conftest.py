"""Databases of both kinds for commands that work on them."""

from tests.support.empty_databases import empty_url, make_database, postgres_server

__all__ = ["empty_url", "make_database", "postgres_server"]
