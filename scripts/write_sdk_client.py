"""Writes the typed client of the SDK, src/edison/sdk/api.py, from the OpenAPI document.

Used by the build hook and the Makefile, which write it unless it is current.
"""

import hashlib
import keyword
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

# The build hook loads this file by its path.
sys.path.insert(0, str(Path(__file__).resolve().parent))
from openapi_document import DocumentError, read_document

from edison.app.openapi_file import TYPED_CLIENT, fingerprint_sources

MARK = "# Sources: "

PROJECT = "/api/v1/projects/{project}"
JSON = "application/json"
BYTES = "application/octet-stream"
STREAM = "text/event-stream"
PAGE = {"items", "next", "total"}
PLAIN = {
    "string": "str",
    "integer": "int",
    "number": "float",
    "boolean": "bool",
    "null": "None",
}
HEAD = '''"""A typed client of the HTTP API. Generated from the OpenAPI document; do not edit."""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict
from urllib.parse import quote

from edison.sdk.client import Client


def _part(value: object) -> str:
    """A parameter as one part of a path."""
    return quote(str(value), safe="")
'''


def identifier(name: str) -> str:
    plain = re.sub(r"\W", "", name)
    return f"{plain}_" if keyword.iskeyword(plain) else plain


def class_name(tag: str) -> str:
    return "".join(word.capitalize() for word in tag.split("-")) + "Api"


def type_of(schema: dict[str, Any]) -> str:
    """The Python type of a JSON schema."""
    if "$ref" in schema:
        return identifier(schema["$ref"].rsplit("/", 1)[1])
    if "const" in schema or "enum" in schema:
        values = [schema["const"]] if "const" in schema else schema["enum"]
        return f"Literal[{', '.join(map(repr, values))}]"
    for several in ("anyOf", "oneOf", "allOf"):
        if several in schema:
            return " | ".join(dict.fromkeys(map(type_of, schema[several])))
    kind = schema.get("type")
    if kind == "array":
        return f"builtins.list[{type_of(schema.get('items', {}))}]"
    if kind == "object":
        values = schema.get("additionalProperties")
        return f"dict[str, {type_of(values) if isinstance(values, dict) else 'Any'}]"
    return PLAIN.get(kind or "", "Any")


def docstring(text: str, indent: str) -> Iterator[str]:
    if text:
        lines = text.strip().replace("\\", "\\\\").replace('"""', "'''").splitlines()
        if lines[-1].endswith('"'):
            lines[-1] += " "
        yield f'{indent}"""{lines[0]}' + ('"""' if len(lines) == 1 else "")
        yield from (f"{indent}{line}".rstrip() for line in lines[1:])
        if len(lines) > 1:
            yield f'{indent}"""'


def definition(name: str, schema: dict[str, Any]) -> Iterator[str]:
    """A TypedDict of an object, or the name of any other schema."""
    fields: dict[str, Any] = schema.get("properties", {})
    if not fields:
        yield f'{identifier(name)}: TypeAlias = "{type_of(schema)}"'
        return
    required = schema.get("required", ())
    types = {
        field: type_of(each) if field in required else f"NotRequired[{type_of(each)}]"
        for field, each in fields.items()
    }
    if any(keyword.iskeyword(field) or not field.isidentifier() for field in types):
        listed = ", ".join(f'"{field}": "{each}"' for field, each in types.items())
        yield f'{identifier(name)} = TypedDict("{identifier(name)}", {{{listed}}})'
        return
    yield f"class {identifier(name)}(TypedDict):"
    yield from docstring(schema.get("description", ""), "    ")
    yield from (f"    {field}: {each}" for field, each in types.items())


def item_of(schema: dict[str, Any], schemas: dict[str, Any]) -> str | None:
    """The type of a page's items, if the schema is a page."""
    page = schemas.get(schema.get("$ref", "").rsplit("/", 1)[-1], {})
    fields = page.get("properties", {})
    return type_of(fields["items"]["items"]) if set(fields) == PAGE else None


def method_name(operation: dict[str, Any], taken: set[str]) -> str:
    """`list_runs` of the tag `runs` is `list`, unless that is a keyword or another method."""
    tag, name = operation["tags"][0].replace("-", "_"), str(operation["operationId"])
    short = re.sub(rf"_(?:{tag}|{tag.removesuffix('s')})(?=_|$)", "", name, count=1)
    chosen = name if keyword.iskeyword(short) or short in taken else short
    taken.add(chosen)
    return chosen


def parameters(operation: dict[str, Any], page: bool) -> tuple[list[str], dict[str, str]]:
    """The parameters of a method after `self`, and its query: name in the address to value.

    `limit` of a list is the size of a page, since a method returns all items.
    """
    given = operation.get("parameters", ())
    placed = [
        f"{identifier(each['name'])}: {type_of(each['schema'])}"
        for each in given
        if each["in"] == "path" and each["name"] != "project"
    ]
    if "requestBody" in operation:
        ((media, body),) = operation["requestBody"]["content"].items()
        optional = "" if operation["requestBody"].get("required") else " = None"
        placed.append(f"body: {'bytes' if media == BYTES else type_of(body['schema'])}{optional}")
    named, query = [], {}
    for each in sorted(given, key=lambda each: not each.get("required")):
        if each["in"] != "query" or (page and each["name"] == "cursor"):
            continue
        name = "page_size" if page and each["name"] == "limit" else identifier(each["name"])
        kind = type_of(each["schema"])
        if not each.get("required"):
            kind = f"{kind.removesuffix(' | None')} | None = None"
        named.append(f"{name}: {kind}")
        query[each["name"]] = name
    return [*placed, *(["*", *named] if named else [])], query


def method(
    verb: str, path: str, operation: dict[str, Any], schemas: dict[str, Any], name: str
) -> Iterator[str]:
    answer = next(each for code, each in operation["responses"].items() if code.startswith("2"))
    media = answer.get("content", {})
    schema = media.get(JSON, {}).get("schema", {}) if set(media) == {JSON} else {}
    item = item_of(schema, schemas)
    taken, query = parameters(operation, item is not None)
    address = re.sub(r"\{(\w+)\}", r"{_part(\1)}", path.removeprefix(PROJECT))
    sent = [f'f"{address}"' if "{" in address else f'"{address}"']
    listed = ", ".join(f'"{key}": {value}' for key, value in query.items())
    sent += [f"query={{{listed}}}"] if query else []
    if item is not None:
        result, call = f"Iterator[{item}]", "pages"
        sent = [sent[0], *([f"**{{{listed}}}"] if query else [])]
    elif media and set(media) != {JSON}:
        result, call = "bytes", "download"
        sent = [sent[0], *([f"**{{{listed}}}"] if query else [])]
    else:
        result, call = type_of(schema) if media else "None", "request"
        sent = [f'"{verb.upper()}"', *sent, *(["body=body"] if "requestBody" in operation else [])]
    yield f"    def {name}({', '.join(['self', *taken])}) -> {result}:"
    told = [operation[key] for key in ("summary", "description") if operation.get(key)]
    yield from docstring("\n\n".join(told), "        ")
    asked = f"self._client.{call}({', '.join(sent)})"
    if result == "None":
        yield f"        {asked}"
    else:
        yield f"        answer: {result} = {asked}"
        yield "        return answer"


def operations(document: dict[str, Any]) -> dict[str, list[tuple[str, str, dict[str, Any]]]]:
    """Operations by tag, without event streams and redirects."""
    found: dict[str, list[tuple[str, str, dict[str, Any]]]] = {}
    for path, verbs in document["paths"].items():
        for verb, operation in verbs.items():
            answers = [each for code, each in operation["responses"].items() if code[0] == "2"]
            if answers and STREAM not in answers[0].get("content", {}):
                found.setdefault(operation["tags"][0], []).append((verb, path, operation))
    return found


def render(document: dict[str, Any]) -> str:
    """The module's text."""
    schemas = document["components"]["schemas"]
    lines = [HEAD]
    for name, schema in schemas.items():
        if set(schema.get("properties", {})) != PAGE:
            lines += [*definition(name, schema), ""]
    by_tag = operations(document)
    for tag, found in by_tag.items():
        lines += [f"class {class_name(tag)}:", "    def __init__(self, client: Client) -> None:"]
        lines += ["        self._client = client", ""]
        taken: set[str] = set()
        for verb, path, operation in found:
            name = method_name(operation, taken)
            lines += [*method(verb, path, operation, schemas, name), ""]
    lines += ["class Edison:", '    """All of the API, one attribute for each tag."""', ""]
    lines += ["    def __init__(self, client: Client) -> None:", "        self.client = client"]
    lines += [f"        self.{tag.replace('-', '_')} = {class_name(tag)}(client)" for tag in by_tag]
    lines += ["", "    def in_project(self, project: str) -> Edison:"]
    lines += ['        """The same for another project, by slug or id."""']
    lines += ["        return Edison(self.client.in_project(project))", ""]
    return "\n".join(lines)


def fingerprint() -> str:
    """Hashes all sources of the document, and this file."""
    own = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()
    return hashlib.sha256(f"{own} {fingerprint_sources()}".encode()).hexdigest()


def needs_write() -> bool:
    if not TYPED_CLIENT.is_file():
        return True
    return TYPED_CLIENT.read_text().rstrip().rsplit("\n", 1)[-1] != MARK + fingerprint()


def write() -> bool:
    """Writes the client if it is out of date. Returns whether it was."""
    if not needs_write():
        return False
    # Computed before the document is made: a file saved meanwhile must make the client stale.
    wanted = fingerprint()
    document = read_document()
    written = TYPED_CLIENT.with_suffix(".new")
    written.write_text(f"{render(document)}\n{MARK}{wanted}\n")
    written.replace(TYPED_CLIENT)
    return True


if __name__ == "__main__":
    try:
        print("SDK client written." if write() else "SDK client is current.")
    except DocumentError as error:
        sys.exit(str(error))
