"""Markdown of the API reference, from the OpenAPI document: an index, and a page per tag.

`docs_site.py` renders the pages with the guides. Needs only the standard library.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

JSON = "application/json"
PREFIX = "/api/v1"
INDEX = "index"
TITLE = "API reference"
INTRODUCTION = (
    "Every route, by subject. [The HTTP API](../api.md) explains signing in, errors, lists and "
    "live events; a running Edison serves the same reference with a search at `/docs`, and the "
    "OpenAPI document at `/api/openapi.json`."
)
# Any request can end with these, so routes do not repeat them.
COMMON = ("401", "408", "413", "414", "421", "429", "431", "500", "503")
ACCESS = {"public": "everyone", "user": "every signed-in user", "member": "members of the project"}
SAMPLES = {"string": "…", "integer": 1, "number": 0.5, "boolean": True, "null": None}
# Keywords of a schema that give a value.
FIXED = ("const", "default")
DEEPEST_SAMPLE = 4

Operation = tuple[str, str, Mapping[str, Any]]


def cell(text: str) -> str:
    """Text for a cell of a table."""
    return " ".join(text.split()).replace("|", "\\|")


def title_of(tag: str) -> str:
    return f"API: {tag.replace('-', ' ')}"


def name_of(reference: str) -> str:
    return reference.rsplit("/", 1)[1]


def choices_of(schema: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return next((schema[key] for key in ("anyOf", "oneOf", "allOf") if key in schema), [])


class ApiPages:
    def __init__(self, document: Mapping[str, Any]) -> None:
        self.schemas: Mapping[str, Any] = document["components"]["schemas"]
        self.responses: Mapping[str, Any] = document["components"]["responses"]
        self.tags: dict[str, list[Operation]] = {}
        for path, methods in document["paths"].items():
            for method, operation in methods.items():
                for tag in operation.get("tags", ()):
                    self.tags.setdefault(tag, []).append((method.upper(), path, operation))

    def texts(self) -> Iterator[tuple[str, str]]:
        """Name and Markdown of each page, the index first."""
        yield INDEX, self._index()
        for tag in sorted(self.tags):
            yield tag, self._page(tag)

    def _index(self) -> str:
        lines = [f"# {TITLE}", "", INTRODUCTION, ""]
        for tag in sorted(self.tags):
            lines += [f"## [{tag.replace('-', ' ')}]({tag}.md)", ""]
            lines += ["| route | does |", "|---|---|"]
            for method, path, operation in self.tags[tag]:
                anchor = operation["operationId"]
                route = f"[`{method} {path.removeprefix(PREFIX)}`]({tag}.md#{anchor})"
                lines.append(f"| {route} | {cell(operation['summary'])} |")
            lines.append("")
        lines += ["## Errors of all routes", "", *self._errors(COMMON)]
        return "\n".join(lines)

    def _page(self, tag: str) -> str:
        index = f"[{TITLE}]({INDEX}.md)"
        lines = [f"# {title_of(tag)}", "", f"{index}. Paths are below `{PREFIX}`.", ""]
        used: set[str] = set()
        for method, path, operation in self.tags[tag]:
            lines += self._operation(method, path, operation, used)
        waiting, shown = sorted(used), set[str]()
        if waiting:
            lines += ["## Bodies", ""]
        while waiting:
            name = waiting.pop(0)
            if name not in shown:
                shown.add(name)
                more: set[str] = set()
                lines += self._schema(name, more)
                waiting += sorted(more - shown)
        return "\n".join(lines)

    def _operation(
        self, method: str, path: str, operation: Mapping[str, Any], used: set[str]
    ) -> list[str]:
        lines = [f"## {operation['operationId']}", ""]
        lines += [f"`{method} {path.removeprefix(PREFIX)}`", "", f"{operation['summary']}.", ""]
        if "description" in operation:
            lines += [operation["description"], ""]
        lines += [f"**Permission:** {self._permission(operation)}", ""]
        if operation.get("parameters"):
            lines += ["| parameter | in | type | meaning |", "|---|---|---|---|"]
            lines += [self._parameter(each, used) for each in operation["parameters"]]
            lines.append("")
        body = operation.get("requestBody")
        if body is not None:
            lines += [f"**Body:** {self._contents(body, used)}", ""]
        done, refused = [], []
        for status, response in operation["responses"].items():
            if "$ref" in response or status >= "400":
                refused += [status] if status not in COMMON else []
            else:
                contents = self._contents(response, used)
                done += [f"**Returns** {status}: {contents or cell(response['description'])}", ""]
        lines += done
        if refused:
            lines += ["**Errors:**", "", *self._errors(refused, operation["responses"])]
        return [*lines, "```sh", self._curl(method, path, operation), "```", ""]

    @staticmethod
    def _permission(operation: Mapping[str, Any]) -> str:
        policy = operation.get("x-policy", {"kind": "public"})
        role = policy.get("role")
        who = ACCESS.get(policy["kind"], str(policy["kind"]))
        if role:
            who += f" with the role {role.lower()} or higher"
        is_session_only = policy["kind"] != "public" and not policy.get("accepts_tokens", True)
        return f"{who}{'; not with a token' if is_session_only else ''}."

    def _parameter(self, parameter: Mapping[str, Any], used: set[str]) -> str:
        schema = parameter.get("schema", {})
        name = f"`{parameter['name']}`" + (", required" if parameter.get("required") else "")
        meaning = self._meaning(parameter | {"schema": None}, schema)
        return f"| {name} | {parameter['in']} | {self._type(schema, used)} | {meaning} |"

    @staticmethod
    def _meaning(described: Mapping[str, Any], schema: Mapping[str, Any]) -> str:
        text = str(described.get("description") or schema.get("description") or "")
        default = schema.get("default")
        shown = "" if default in (None, "", [], {}) else f"Default: `{json.dumps(default)}`"
        return cell(f"{text} {shown}")

    def _contents(self, body: Mapping[str, Any], used: set[str]) -> str:
        return ", ".join(
            f"{self._type(media['schema'], used)}{'' if kind == JSON else f' as `{kind}`'}"
            if media.get("schema")
            else f"`{kind}`"
            for kind, media in body.get("content", {}).items()
        )

    def _errors(self, statuses: Any, responses: Mapping[str, Any] | None = None) -> list[str]:
        lines = ["| status | meaning |", "|---|---|"]
        for status in statuses:
            found = (responses or {}).get(status, {})
            if "description" not in found:
                found = self.responses.get(f"Error{status}", {"description": ""})
            lines.append(f"| {status} | {cell(found['description'])} |")
        return [*lines, ""]

    def _type(self, schema: Mapping[str, Any], used: set[str]) -> str:
        """A type in words; names of bodies are links within the page."""
        if "$ref" in schema:
            name = name_of(schema["$ref"])
            used.add(name)
            return f"[{name}](#{name.lower()})"
        if "const" in schema or "enum" in schema:
            values = schema.get("enum", [schema.get("const")])
            return ", ".join(f"`{json.dumps(each)}`" for each in values)
        if choices := choices_of(schema):
            return " or ".join(dict.fromkeys(self._type(each, used) for each in choices))
        kind, form = schema.get("type", "any"), schema.get("format")
        of = schema.get("items" if kind == "array" else "additionalProperties")
        if isinstance(of, dict):
            return f"{'list' if kind == 'array' else 'object'} of {self._type(of, used)}"
        return f"{kind} ({form})" if form else str(kind)

    def _schema(self, name: str, used: set[str]) -> list[str]:
        schema = self.schemas[name]
        lines = [f"### {name}", ""]
        if schema.get("description"):
            lines += [schema["description"], ""]
        properties = schema.get("properties")
        if not properties:
            return [*lines, self._type(schema, used), ""]
        required = schema.get("required", ())
        lines += ["| field | type | meaning |", "|---|---|---|"]
        for field, each in properties.items():
            shown = f"`{field}`" + (", required" if field in required else "")
            lines.append(f"| {shown} | {self._type(each, used)} | {self._meaning(each, each)} |")
        return [*lines, ""]

    def _curl(self, method: str, path: str, operation: Mapping[str, Any]) -> str:
        place = re.sub(r"\{(\w+)\}", lambda part: f"${part[1].upper()}", path)
        parts = ["curl" if method == "GET" else f"curl -X {method}"]
        if operation.get("x-policy", {}).get("kind", "public") != "public":
            parts.append('-H "Authorization: Bearer $EDISON_TOKEN"')
        content = operation.get("requestBody", {}).get("content", {})
        if JSON in content:
            sample = self._sample(content[JSON]["schema"], 0)
            parts.append(f"-H 'Content-Type: {JSON}'")
            parts.append("-d '" + json.dumps(sample, ensure_ascii=False) + "'")
        elif content:
            parts.append(f"-H 'Content-Type: {next(iter(content))}' --data-binary @file")
        return " \\\n  ".join([*parts, f'"$EDISON_URL{place}"'])

    def _sample(self, schema: Mapping[str, Any], depth: int) -> Any:
        """A value with the required fields; an example of the schema, where it has some."""
        if "$ref" in schema:
            return self._sample(self.schemas[name_of(schema["$ref"])], depth)
        given = [*schema.get("examples", ()), *(schema[key] for key in FIXED if key in schema)]
        if chosen := [*given, *schema.get("enum", ())]:
            return chosen[0]
        if choices := choices_of(schema):
            return self._sample(choices[0], depth)
        kind, is_deep = schema.get("type"), depth >= DEEPEST_SAMPLE
        if kind == "array":
            has_items = schema.get("minItems") and not is_deep
            return [self._sample(schema.get("items", {}), depth + 1)] if has_items else []
        if kind == "object":
            required = () if is_deep else schema.get("required", ())
            fields = schema.get("properties", {})
            return {field: self._sample(fields[field], depth + 1) for field in required}
        return SAMPLES.get(str(kind))
