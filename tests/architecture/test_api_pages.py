"""The API reference of the documentation, from an OpenAPI document."""

from edison.app.main import create_app
from edison.settings import Settings
from scripts.api_pages import INDEX, ApiPages

NOTE = {
    "type": "object",
    "description": "A note.",
    "required": ["text"],
    "properties": {
        "text": {"type": "string", "description": "What it says, a | b.", "examples": ["Hello"]},
        "parent": {"anyOf": [{"$ref": "#/components/schemas/Note"}, {"type": "null"}]},
        "stars": {"type": "integer", "default": 3},
    },
}
DOCUMENT = {
    "paths": {
        "/api/v1/notes/{note_id}": {
            "put": {
                "tags": ["notes"],
                "operationId": "change_note",
                "summary": "Changes a note",
                "parameters": [
                    {
                        "name": "note_id",
                        "in": "path",
                        "required": True,
                        "schema": {"type": "string", "format": "uuid"},
                    }
                ],
                "requestBody": {
                    "content": {
                        "application/json": {"schema": {"$ref": "#/components/schemas/Note"}}
                    }
                },
                "responses": {
                    "204": {"description": "Done. No content."},
                    "409": {"$ref": "#/components/responses/Error409"},
                    "500": {"$ref": "#/components/responses/Error500"},
                },
                "x-policy": {"kind": "member", "role": "EDITOR", "accepts_tokens": True},
            }
        }
    },
    "components": {
        "schemas": {"Note": NOTE},
        "responses": {
            "Error409": {"description": "It was changed meanwhile."},
            "Error500": {"description": "Internal error."},
        },
    },
}
PAGE = """# API: notes

[API reference](index.md). Paths are below `/api/v1`.

## change_note

`PUT /notes/{note_id}`

Changes a note.

**Permission:** members of the project with the role editor or higher.

| parameter | in | type | meaning |
|---|---|---|---|
| `note_id`, required | path | string (uuid) |  |

**Body:** [Note](#note)

**Returns** 204: Done. No content.

**Errors:**

| status | meaning |
|---|---|
| 409 | It was changed meanwhile. |

```sh
curl -X PUT \\
  -H "Authorization: Bearer $EDISON_TOKEN" \\
  -H 'Content-Type: application/json' \\
  -d '{"text": "Hello"}' \\
  "$EDISON_URL/api/v1/notes/$NOTE_ID"
```

## Bodies

### Note

A note.

| field | type | meaning |
|---|---|---|
| `text`, required | string | What it says, a \\| b. |
| `parent` | [Note](#note) or null |  |
| `stars` | integer | Default: `3` |
"""


def test_a_page_has_routes_bodies_errors_and_an_example() -> None:
    pages = dict(ApiPages(DOCUMENT).texts())
    assert list(pages) == [INDEX, "notes"]
    assert pages["notes"] == PAGE


def test_every_route_is_in_the_reference(settings: Settings) -> None:
    document = create_app(settings).openapi()
    pages = dict(ApiPages(document).texts())
    missing = [
        f"{method} {path}"
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
        if f"#{operation['operationId']})" not in pages[INDEX]
    ]
    assert missing == []
