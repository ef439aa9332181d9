"""Databases of both kinds for the commands under test."""

from tests.support.empty_databases import empty_url, make_database, postgres_server

__all__ = ["empty_url", "make_database", "postgres_server"]
