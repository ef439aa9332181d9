"""`/docs`: the API reference as one plain page, made on the server from the API's description.

The usual viewers need inline scripts or a content network, which the content security policy
forbids. This page has no script at all: the search is a form, and everything has an anchor.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from edison.api.policy import Policy
from edison.app.docs_schemas import (
    Schema,
    example_json,
    fields_of,
    inline,
    name_of,
    notes_on,
    table,
    type_of,
)
from edison.app.openapi import who_may_call

STYLE = Path(__file__).parent / "docs_page.css"
POLICY = (
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
LONGEST_SEARCH = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    method: str
    path: str
    details: dict[str, Any]

    @property
    def id(self) -> str:
        return str(self.details["operationId"])

    @property
    def group(self) -> str:
        return str(self.details["tags"][0])

    def matches(self, words: list[str]) -> bool:
        details = self.details
        text = " ".join(
            (
                self.method,
                self.path,
                self.id,
                self.group,
                details["summary"],
                details.get("description", ""),
            )
        ).lower()
        return all(word in text for word in words)


def install_docs(app: FastAPI) -> None:
    style = STYLE.read_text()

    async def read_docs(request: Request) -> Response:
        search = request.query_params.get("q", "")[:LONGEST_SEARCH].strip()
        return HTMLResponse(
            render(app.openapi(), search=search),
            headers={"Content-Security-Policy": POLICY, "Cache-Control": "no-cache"},
        )

    async def read_style(_request: Request) -> Response:
        return Response(style, media_type="text/css", headers={"Cache-Control": "no-cache"})

    app.add_route("/docs", read_docs, methods=["GET"], include_in_schema=False)
    app.add_route("/docs/style.css", read_style, methods=["GET"], include_in_schema=False)


def render(document: dict[str, Any], *, search: str = "") -> str:
    """The whole page; with `search`, only the operations that contain all its words."""
    words = search.lower().split()
    groups: dict[str, list[Operation]] = {}
    # What people look for first comes first.
    for operation in sorted(_operations(document), key=lambda found: found.group == "operation"):
        if operation.matches(words):
            groups.setdefault(operation.group, []).append(operation)
    components = document["components"]
    found = sum(len(group) for group in groups.values())
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>API reference · {escape(document["info"]["title"])}</title>
<link rel="icon" href="/favicon.svg">
<link rel="stylesheet" href="/docs/style.css">
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="brand" href="/">{escape(document["info"]["title"])}</a>
<form role="search" action="/docs"><label for="q">Search the API</label>
<input id="q" name="q" type="search" value="{escape(search)}" placeholder="e.g. invitation">
<button>Search</button></form>
<a href="/api/openapi.json">OpenAPI document</a>
</header>
<nav aria-label="Contents">{"".join(_contents(groups))}</nav>
<main id="content">
<h1>API reference <small>version {escape(document["info"]["version"])}</small></h1>
{_introduction(document) if not search else _search_result(search, found)}
{"".join(_group(name, group, components) for name, group in groups.items())}
{_schemas(components["schemas"])}
</main>
</body>
</html>"""


def _operations(document: dict[str, Any]) -> Iterator[Operation]:
    for path, methods in document["paths"].items():
        for method, details in methods.items():
            yield Operation(method=method.upper(), path=path, details=details)


def _contents(groups: dict[str, list[Operation]]) -> Iterator[str]:
    for name, group in groups.items():
        entries = "".join(
            f'<li><a href="#{escape(operation.id)}">{_method(operation)}'
            f"<span>{inline(operation.details['summary'])}</span></a></li>"
            for operation in group
        )
        yield (
            f'<section><a class="group" href="#group-{escape(name)}">{escape(name)}</a>'
            f"<ul>{entries}</ul></section>"
        )


def _introduction(document: dict[str, Any]) -> str:
    return f"""<div class="introduction">{_paragraphs(document["info"]["description"])}
<p>The examples below expect two variables:</p>
<pre tabindex="0"><code>export EDISON_URL=http://127.0.0.1:8000
export EDISON_TOKEN=edn_…</code></pre></div>"""


def _search_result(search: str, found: int) -> str:
    return (
        f'<p class="found" role="status">{found} of the routes contain “{escape(search)}”. '
        f'<a href="/docs">Show all</a></p>'
    )


def _group(name: str, group: list[Operation], components: dict[str, Any]) -> str:
    articles = "".join(_article(operation, components) for operation in group)
    return (
        f'<section aria-labelledby="group-{escape(name)}"><h2 id="group-{escape(name)}">'
        f"{escape(name)}</h2>{articles}</section>"
    )


def _article(operation: Operation, components: dict[str, Any]) -> str:
    details, anchor = operation.details, escape(operation.id)
    policy = Policy(**details["x-policy"])
    example = escape(curl(operation, components["schemas"]))
    return f"""<article id="{anchor}" aria-labelledby="{anchor}-title">
<h3 id="{anchor}-title"><a href="#{anchor}">{inline(details["summary"])}</a></h3>
<p class="address">{_method(operation)} <code>{_breakable(operation.path)}</code>
<span class="policy">{escape(who_may_call(policy))}</span></p>
{_paragraphs(details.get("description", ""))}
{_parameters(details)}
{_body(details, components["schemas"])}
{_responses(details, components["responses"])}
<details><summary>Example with curl</summary>
<pre tabindex="0"><code>{example}</code></pre></details>
</article>"""


def _method(operation: Operation) -> str:
    return f'<span class="method {operation.method.lower()}">{operation.method}</span>'


def _breakable(path: str) -> str:
    return escape(path).replace("/", "/<wbr>")


def _paragraphs(text: str) -> str:
    return "".join(f"<p>{inline(part)}</p>" for part in text.split("\n\n") if part.strip())


def _parameters(details: dict[str, Any]) -> str:
    rows = [
        (
            parameter["name"],
            parameter.get("required", False),
            f"{type_of(parameter['schema'])} <small>in the {escape(parameter['in'])}</small>",
            notes_on(parameter["schema"]),
        )
        for parameter in details.get("parameters", ())
    ]
    return table("Parameters", rows) if rows else ""


def _content(holder: dict[str, Any]) -> tuple[str, Schema] | None:
    """The first media type and its schema."""
    for media_type, content in holder.get("content", {}).items():
        return media_type, content.get("schema", {})
    return None


def _body(details: dict[str, Any], schemas: dict[str, Schema]) -> str:
    content = _content(details.get("requestBody", {}))
    if content is None:
        return ""
    schema = content[1]
    return fields_of("Body", schemas[name_of(schema)] if "$ref" in schema else schema)


def _responses(details: dict[str, Any], shared: dict[str, Any]) -> str:
    rows, good = [], ""
    for status, given in details["responses"].items():
        response = shared[name_of(given)] if "$ref" in given else given
        content = _content(response)
        kind = "" if content is None else type_of(content[1])
        if content is not None and content[0] != "application/json":
            kind = f"<code>{escape(content[0])}</code>"
        is_good = status < "4"
        good += f"<b>{escape(status)}</b> {kind} " if is_good else ""
        rows.append(
            f'<tr class="{"good" if is_good else "bad"}"><th scope="row">{escape(status)}</th>'
            f"<td>{inline(response['description'])}</td><td>{kind}</td></tr>"
        )
    return (
        f'<p class="answer">Answers {good}</p><details><summary>All answers</summary>'
        '<div class="scroll" role="region" aria-label="All answers" tabindex="0"><table><thead><tr>'
        "<th scope=col>Status</th><th scope=col>Meaning</th><th scope=col>Body</th></tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table></div></details>"
    )


def curl(operation: Operation, schemas: dict[str, Schema]) -> str:
    """A command that can be pasted into a shell."""
    lines = [f'curl -X {operation.method} "$EDISON_URL{operation.path}"']
    if operation.details["security"]:
        lines.append('-H "Authorization: Bearer $EDISON_TOKEN"')
    content = _content(operation.details.get("requestBody", {}))
    if content is not None:
        body = example_json(content[1], schemas).replace("'", "'\\''")
        lines += [f'-H "Content-Type: {content[0]}"', f"-d '{body}'"]
    return " \\\n  ".join(lines)


def _schemas(schemas: dict[str, Schema]) -> str:
    articles = "".join(
        f'<article id="schema-{escape(name)}" aria-labelledby="schema-{escape(name)}-title">'
        f'<h3 id="schema-{escape(name)}-title"><a href="#schema-{escape(name)}">{escape(name)}</a>'
        f"</h3>{_paragraphs(schema.get('description', ''))}{fields_of('Fields', schema)}</article>"
        for name, schema in sorted(schemas.items())
    )
    return f'<section aria-labelledby="schemas"><h2 id="schemas">Schemas</h2>{articles}</section>'
