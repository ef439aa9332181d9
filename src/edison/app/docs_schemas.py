"""Schemas of the API's description as HTML tables, and examples made from them."""

from collections.abc import Mapping
from html import escape
from typing import Any
from uuid import UUID

import orjson

Schema = Mapping[str, Any]
DEEPEST_EXAMPLE = 5

_FORMATS = {"uuid": "UUID", "date-time": "time", "date": "date", "uri": "URL"}
_SAMPLES = {
    "uuid": str(UUID(int=0x0199_0000_0000_7000_8000_0000_0000_0001)),
    "date-time": "2026-03-01T12:00:00Z",
    "password": "Analytical-Engine-1843!",
}
_LIMITS = {
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "minimum": "at least {}",
    "maximum": "at most {}",
    "minItems": "at least {} entries",
    "maxItems": "at most {} entries",
}


def type_of(schema: Schema) -> str:
    """What a value may be, as HTML; named schemas are links."""
    if "$ref" in schema:
        name = name_of(schema)
        return f'<a href="#schema-{escape(name)}">{escape(name)}</a>'
    if "anyOf" in schema:
        return " or ".join(type_of(option) for option in schema["anyOf"])
    if "enum" in schema:
        return " | ".join(f"<code>{escape(str(value))}</code>" for value in schema["enum"])
    if "const" in schema:
        return f"<code>{escape(str(schema['const']))}</code>"
    if schema.get("type") == "array":
        return f"list of {type_of(schema.get('items', {}))}"
    kind = schema.get("format") or schema.get("type") or "any"
    return escape(_FORMATS.get(kind, kind))


def name_of(reference: Schema) -> str:
    return str(reference["$ref"]).rpartition("/")[2]


def notes_on(schema: Schema) -> str:
    """Description, default and limits, as HTML."""
    options = [schema, *schema.get("anyOf", ())]
    limits = [
        text.format(option[name])
        for option in options
        for name, text in _LIMITS.items()
        if name in option
    ]
    notes = [inline(schema["description"])] if "description" in schema else []
    if limits:
        notes.append(escape("; ".join(limits)))
    if schema.get("default") is not None:
        notes.append(f"default <code>{escape(str(schema['default']))}</code>")
    return "<br>".join(notes)


def inline(text: str) -> str:
    """Text in which backticks mark code, as HTML."""
    parts = escape(text, quote=False).split("`")
    return "".join(
        f"<code>{part}</code>" if index % 2 and index < len(parts) - 1 else part
        for index, part in enumerate(parts)
    )


def table(caption: str, rows: list[tuple[str, bool, str, str]]) -> str:
    """Rows are (name, is required, type as HTML, notes as HTML)."""
    body = "".join(
        f'<tr><th scope="row"><code>{escape(name)}</code>'
        f"{'<span class=required>required</span>' if required else ''}</th>"
        f"<td>{kind}</td><td>{notes}</td></tr>"
        for name, required, kind, notes in rows
    )
    return (
        f'<div class="scroll" role="region" aria-label="{escape(caption)}" tabindex="0"><table>'
        f"<caption>{escape(caption)}</caption><thead><tr><th scope=col>Name</th>"
        f"<th scope=col>Type</th><th scope=col>Notes</th></tr></thead>"
        f"<tbody>{body}</tbody></table></div>"
    )


def fields_of(caption: str, schema: Schema) -> str:
    """A table of an object's fields, or the type of anything else."""
    if "properties" not in schema:
        return f"<p>{type_of(schema)}</p>"
    required = schema.get("required", ())
    return table(
        caption,
        [
            (name, name in required, type_of(field), notes_on(field))
            for name, field in schema["properties"].items()
        ],
    )


def example_json(schema: Schema, schemas: Mapping[str, Schema]) -> str:
    return orjson.dumps(_example("", schema, schemas, 0)).decode()


def _example(name: str, schema: Schema, schemas: Mapping[str, Schema], depth: int) -> Any:
    if schema.get("examples"):
        return schema["examples"][0]
    if "$ref" in schema:
        return _example(name, schemas[name_of(schema)], schemas, depth + 1)
    if "default" in schema:
        return schema["default"]
    if "anyOf" in schema:
        return _example(name, schema["anyOf"][0], schemas, depth)
    if "enum" in schema:
        return schema["enum"][0]
    return _plain_example(name, schema, schemas, depth)


def _plain_example(name: str, schema: Schema, schemas: Mapping[str, Schema], depth: int) -> Any:
    kind = schema.get("type")
    if kind == "object":
        fields = schema.get("properties", {}) if depth < DEEPEST_EXAMPLE else {}
        return {
            field: _example(field, inner, schemas, depth + 1) for field, inner in fields.items()
        }
    if kind == "array":
        return [_example(name, schema.get("items", {}), schemas, depth + 1)]
    if kind in ("integer", "number"):
        return schema.get("minimum", 1)
    if kind == "boolean":
        return True
    return _SAMPLES.get(str(schema.get("format")), name or "text")
