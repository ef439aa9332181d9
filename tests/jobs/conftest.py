from tests.support.empty_databases import make_database, postgres_server

__all__ = ["make_database", "postgres_server"]
