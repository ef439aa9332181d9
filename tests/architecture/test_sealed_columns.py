"""Sealed secrets are in columns that key rotation finds."""

import ast
import re
from pathlib import Path

import edison
from edison.app import tables
from edison.db.base import Base
from edison.db.sealed import sealed_columns

SOURCE = Path(edison.__file__).parent
TELLING = re.compile(r"sealed|secret|private_key|totp", re.IGNORECASE)
# Hashes, and columns that only sound like secrets.
NOT_SEALED: set[str] = set()


def _slices_that_seal() -> set[str]:
    """Packages such as `edison.workspace.credentials` that seal values."""
    found = set()
    for group in ("workspace", "library", "runs", "loops"):
        for file in (SOURCE / group).rglob("*.py"):
            calls = [node for node in ast.walk(ast.parse(file.read_text())) if _seals(node)]
            if calls:
                parts = file.relative_to(SOURCE).parts
                found.add(".".join(("edison", parts[0], parts[1])))
    return found


def _seals(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "seal"
    )


def test_every_slice_that_seals_marks_the_column() -> None:
    marked = {str(column) for column in sealed_columns(tables.metadata)}
    slices_with_marks = {
        ".".join(mapper.class_.__module__.split(".")[:3])
        for mapper in Base.registry.mappers
        if any(str(column) in marked for column in mapper.local_table.columns)
    }
    sealing = _slices_that_seal()
    assert "edison.workspace.credentials" in sealing
    assert sealing <= slices_with_marks


def test_a_column_that_sounds_like_a_secret_is_marked_or_known_to_be_none() -> None:
    marked = {str(column) for column in sealed_columns(tables.metadata)}
    sounding = {
        str(column)
        for table in tables.metadata.sorted_tables
        for column in table.columns
        if TELLING.search(column.name)
    }
    assert sounding - marked == NOT_SEALED
