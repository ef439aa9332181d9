"""Alembic's entry point; the connection and its transaction come from `edison.db.migrate`."""

from typing import Any, Literal

from alembic import context
from alembic.autogenerate.api import AutogenContext

from edison.app.tables import metadata
from edison.db import base


def render_item(_kind: str, item: Any, autogen: AutogenContext) -> str | Literal[False]:
    """Write our column types by their names in new revisions."""
    if isinstance(item, base.UtcDateTime):
        autogen.imports.add("from edison.db.base import UtcDateTime")
        return "UtcDateTime()"
    if item is base.JsonColumn:
        autogen.imports.add("from edison.db.base import JsonColumn")
        return "JsonColumn"
    return False


connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    target_metadata=metadata,
    # Alembic assumes SQLite cannot do this. With transactions begun by Edison it can.
    transactional_ddl=True,
    transaction_per_migration=False,
    render_as_batch=True,
    compare_type=True,
    render_item=render_item,
)
with context.begin_transaction():
    if context.config.attributes["creates_schema"]:
        metadata.create_all(connection, checkfirst=False)
        context.get_context().stamp(context.script, "head")
    else:
        context.run_migrations()
