"""Assertions about SQL: whether it can be parsed in a dialect, and which tables and columns it
uses.

promptfoo uses another parser than sqlglot: what both should refuse, and sqlglot accepts, is checked
here.
"""

import logging
import re
from collections.abc import Iterator, Mapping
from typing import Any

from edison.pipeline.score.assertions.model import (
    AssertionVerdict,
    Check,
    Handler,
    RowError,
    ask_worker,
    require,
)

_DIALECTS = {
    "athena": "athena", "bigquery": "bigquery", "db2": "", "flinksql": "", "hive": "hive",
    "mariadb": "mysql", "mysql": "mysql", "noql": "", "postgresql": "postgres",
    "redshift": "redshift", "snowflake": "snowflake", "sqlite": "sqlite", "transactsql": "tsql",
    "trino": "trino",
}  # fmt: skip
_DEFAULT = "MySQL"
_LONGEST = 100_000
_ANY_MODIFIER = "(?:all|distinct)"
_MYSQL_MODIFIER = (
    "(?:all|distinct(?:row)?|high_priority|straight_join"
    "|sql_(?:big_result|buffer_result|cache|calc_found_rows|no_cache|small_result))"
)
_NAME = "[A-Za-z_][A-Za-z0-9_]*"
_IGNORED = re.compile(
    r"'(?:\\.|''|[^'\\])*(?:'|\Z)|\"(?:\\.|\"\"|[^\"\\])*(?:\"|\Z)|`(?:\\.|``|[^`\\])*(?:`|\Z)"
    r"|(?P<comment>(?:--|\#)[^\r\n]*|/\*.*?(?:\*/|\Z))"
    r"|(?P<tag>\$(?:[A-Za-z_]\w*)?\$).*?(?:(?P=tag)|\Z)",
    re.DOTALL,
)
_BRACKETED = re.compile(r"\[[^\]]*\]")
_FENCE = re.compile(r"[ \t]{0,3}(?P<mark>`{3,}|~{3,})(?P<info>.*)", re.DOTALL)
# What sqlglot accepts, and promptfoo's parser does not: everywhere, and in some dialects.
_NEVER = (r"^\s*from\b", r",\s*,", r"\bselect\s*;?\s*$")
_FOREIGN = (
    (r"\bgenerate_series\s*\(", {"mysql", "mariadb"}),
    (r"\[", {"sqlite"}),
    (r"->>", {"transactsql", "bigquery", "mariadb"}),
    (r"\bfetch\s+first\b", set(_DIALECTS) - {"db2"}),
)
# Statements that sqlglot keeps as a text, by their first word.
_PLAIN_STATEMENTS = frozenset((
    "begin", "call", "commit", "replace", "desc", "describe", "explain", "grant", "lock", "rename",
    "rollback", "set", "show", "start", "unlock", "use",
))  # fmt: skip


def _statements(text: str, dialect: str) -> list[Any]:
    """Raises ValueError when it is not SQL."""
    import sqlglot
    from sqlglot.errors import SqlglotError

    logging.getLogger("sqlglot").setLevel(logging.CRITICAL)
    try:
        found = [each for each in sqlglot.parse(text, read=dialect or None) if each is not None]
    except (SqlglotError, RecursionError, ValueError) as wrong:
        raise ValueError("not SQL") from wrong
    if not found or not all(map(_is_statement, found)):
        raise ValueError("not a statement")
    return found


def _is_statement(tree: Any) -> bool:
    from sqlglot import exp

    if isinstance(tree, exp.Command):
        return str(tree.this).lower() in _PLAIN_STATEMENTS
    kinds = (
        exp.Query, exp.DML, exp.DDL, exp.Drop, exp.Alter, exp.TruncateTable, exp.Merge, exp.Set,
        exp.Use, exp.Show, exp.Describe, exp.Transaction, exp.Commit, exp.Rollback, exp.Grant,
    )  # fmt: skip
    return isinstance(tree, kinds) and not isinstance(tree, exp.Subquery | exp.Table)


def _plain(text: str, database: str) -> str:
    """Without comments, and with a mark in the place of quoted texts and names."""
    if database == "TransactSQL":
        text = _BRACKETED.sub(" ? ", text)
    return _IGNORED.sub(lambda found: " " if found["comment"] else " ? ", text)


def _has_missing_comma(text: str, database: str) -> bool:
    """`SELECT id name FROM t` is an alias for parsers, and a mistake of models."""
    text = _plain(text, database)
    modifier = _MYSQL_MODIFIER if database in {"MySQL", "MariaDB"} else _ANY_MODIFIER
    pattern = rf"\bselect\s+(?:{modifier}\s+)*(?!{modifier}\b){_NAME}\s+{_NAME}\s+from\b"
    return re.search(pattern, text, re.IGNORECASE | re.ASCII) is not None


def _is_refused(text: str, database: str) -> bool:
    if not text.strip() or text.count("`") % 2 == 1 or _has_missing_comma(text, database):
        return True
    plain = _plain(text, database)
    kind = database.lower()
    foreign = [pattern for pattern, kinds in _FOREIGN if kind in kinds]
    return any(re.search(pattern, plain, re.IGNORECASE) for pattern in (*_NEVER, *foreign))


def _used_tables(tree: Any) -> Iterator[str]:
    from sqlglot import exp

    for table in tree.find_all(exp.Table):
        yield f"{_action(table)}::{table.db or 'null'}::{table.name}"


def _used_columns(tree: Any) -> Iterator[str]:
    from sqlglot import exp

    for column in tree.find_all(exp.Column):
        if not isinstance(column.this, exp.Star):
            yield f"{_action(column)}::{column.table or 'null'}::{column.name}"
    for star in tree.find_all(exp.Star):
        if not isinstance(star.parent, exp.Count):
            table = star.parent.table if isinstance(star.parent, exp.Column) else ""
            yield f"{_action(star)}::{table or 'null'}::(.*)"
    yield from _written_columns(tree)


def _written_columns(tree: Any) -> Iterator[str]:
    from sqlglot import exp

    for statement in tree.find_all(exp.Insert, exp.Delete):
        target = statement.this
        table = target.find(exp.Table) if target is not None else None
        name = table.name if table is not None else "null"
        columns = target.expressions if isinstance(target, exp.Schema) else []
        for column in [each.name for each in columns] or ["(.*)"]:
            yield f"{_action(statement)}::{name}::{column}"


def _action(node: Any) -> str:
    from sqlglot import exp

    names = ((exp.Query, "select"), (exp.Insert, "insert"), (exp.Update, "update"),
             (exp.Delete, "delete"), (exp.Create, "create"), (exp.Drop, "drop"),
             (exp.Alter, "alter"), (exp.TruncateTable, "truncate"))  # fmt: skip
    while node is not None:
        for kind, name in names:
            if isinstance(node, kind) and not isinstance(node, exp.Table | exp.Subquery):
                return name
        node = node.parent
    return "select"


def _are_allowed(used: Iterator[str], allowed: list[str]) -> bool:
    import re2  # type: ignore[import-untyped] # has no types

    try:
        patterns = [re2.compile(f"(?i)^(?:{each})$") for each in allowed]
    except re2.error as wrong:
        raise RowError("An allowed table or column is not a valid pattern.") from wrong
    return all(any(pattern.search(each) for pattern in patterns) for each in used)


def _with_any_table(allowed: list[str]) -> list[str]:
    """A column may be written without its table."""
    parts = [each.split("::") for each in allowed]
    return allowed + [f"{each[0]}::null::{each[2]}" for each in parts if len(each) == 3]


def is_sql(text: str, settings: Mapping[str, Any]) -> bool:
    database = str(settings.get("databaseType") or _DEFAULT)
    dialect = _DIALECTS.get(database.lower())
    if dialect is None or len(text) > _LONGEST or _is_refused(text, database):
        return False
    try:
        found = _statements(text, dialect)
    except ValueError:
        return False
    tables, columns = settings.get("allowedTables"), settings.get("allowedColumns")
    uses_tables = (each for tree in found for each in _used_tables(tree))
    uses_columns = (each for tree in found for each in _used_columns(tree))
    return (not tables or _are_allowed(uses_tables, list(map(str, tables)))) and (
        not columns or _are_allowed(uses_columns, _with_any_table(list(map(str, columns))))
    )


def _settings(check: Check) -> Mapping[str, Any]:
    if not check.value:
        return {}
    require(isinstance(check.value, dict), "The value must be an object.")
    return dict(check.value)


def check_in_worker(question: Any) -> bool | None:
    """Whether one of the texts is SQL that is allowed; None when a pattern is not valid."""
    try:
        return any(is_sql(each, question["settings"]) for each in question["texts"])
    except RowError:
        return None


async def _ask(texts: list[str], settings: Mapping[str, Any]) -> bool:
    """The time that the parser takes cannot be bounded beforehand."""
    found = await ask_worker({"task": "sql", "texts": texts, "settings": settings})
    require(found is not None, "An allowed table or column is not a valid pattern.")
    return bool(found)


async def _is_sql(check: Check) -> AssertionVerdict:
    is_fit = await _ask([check.text], _settings(check))
    return check.decide(is_fit, "The answer is not, or may not be, the SQL that is allowed.")


def _blocks(text: str) -> list[str]:
    """Contents of fenced blocks that are SQL or have no language."""
    blocks: list[str] = []
    body: list[str] = []
    opened: re.Match[str] | None = None
    for line in re.split(r"\r\n?|\n", text):
        fence = _FENCE.fullmatch(line)
        if opened is None:
            opened, body = fence, []
        elif fence and fence["mark"].startswith(opened["mark"]) and not fence["info"].strip(" \t"):
            if opened["info"].strip().lower() in {"", "sql"}:
                blocks.append("\n".join(body).strip())
            opened = None
        else:
            body.append(line)
    return blocks


async def _contains_sql(check: Check) -> AssertionVerdict:
    settings = _settings(check)
    candidates = _blocks(check.text) or [check.text]
    is_fit = await _ask([each for each in candidates if each.strip()], settings)
    return check.decide(is_fit, "There is no SQL that is allowed, or there is.")


HANDLERS: Mapping[str, Handler] = {
    "is-sql": _is_sql,
    "contains-sql": _contains_sql,
}
