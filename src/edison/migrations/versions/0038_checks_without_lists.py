"""The checks of ledger entries and outputs compare with each value instead of searching a list, of
which SQLite builds a temporary index for each row that it checks.
"""

import sqlalchemy as sa
from alembic import op

revision = "0038"
down_revision = "0037"

VALUES = {
    ("ledger_entries", "state"): ("reserved", "settled", "released", "unconfirmed"),
    ("outputs", "status"): ("ok", "error", "malformed"),
}


def upgrade() -> None:
    for (table, column), values in VALUES.items():
        _replace(table, column, _search(column, values), _compare(column, values))


def downgrade() -> None:
    for (table, column), values in VALUES.items():
        _replace(table, column, _compare(column, values), _search(column, values))


def _search(column: str, values: tuple[str, ...]) -> str:
    return f"{column} IN ({', '.join(map(repr, values))})"


def _compare(column: str, values: tuple[str, ...]) -> str:
    return " OR ".join(f"{column} = {value!r}" for value in values)


def _replace(table: str, column: str, old: str, new: str) -> None:
    if op.get_bind().dialect.name == "sqlite":
        _rewrite(table, old, new)
        return
    name = f"ck_{table}_{column}"
    op.execute(f"ALTER TABLE {table} DROP CONSTRAINT {name}, ADD CONSTRAINT {name} CHECK ({new})")


def _rewrite(table: str, old: str, new: str) -> None:
    """Changes the text of the table and reads or writes none of its rows, as SQLite's documentation
    of ALTER TABLE describes. Where SQLite is set to protect its schema, the old check stays: it
    means the same.
    """
    connection = op.get_bind()
    version = connection.exec_driver_sql("PRAGMA schema_version").scalar_one()
    connection.exec_driver_sql("PRAGMA writable_schema=ON")
    if connection.exec_driver_sql("PRAGMA writable_schema").scalar_one():
        connection.execute(
            sa.text(
                "UPDATE sqlite_master SET sql = replace(sql, :old, :new)"
                " WHERE type = 'table' AND name = :table"
            ),
            {"old": f"CHECK ({old})", "new": f"CHECK ({new})", "table": table},
        )
        # All connections read the schema again, this one too.
        connection.exec_driver_sql(f"PRAGMA schema_version={version + 1}")
        connection.exec_driver_sql("PRAGMA writable_schema=OFF")
