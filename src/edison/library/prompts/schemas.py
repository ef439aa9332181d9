"""Schemas of the prompt endpoints."""

from collections import Counter
from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import (
    AfterValidator,
    Field,
    StringConstraints,
    WithJsonSchema,
)

from edison.api.json_values import AnyJson
from edison.api.schema import CleanText, Schema, without_control_characters
from edison.kit.lazy_dataclasses import dataclass
from edison.library.prompts.models import PromptKind, VersionOrigin
from edison.library.prompts.names import check_name
from edison.library.prompts.tools import ToolParameters
from edison.pipeline.render.template import Syntax
from edison.workspace.resources.models import LONGEST_NAME
from edison.workspace.resources.schemas import Description, ResourceChange, Status

# Longer than a run accepts, so that a draft which is too long can be saved with a warning.
LONGEST_DRAFT_TEXT = 100_000

PromptName = Annotated[
    str,
    AfterValidator(check_name),
    WithJsonSchema(
        {
            "type": "string",
            "minLength": 1,
            "maxLength": LONGEST_NAME,
            "description": "One line without slashes, unique in the project",
            "examples": ["Support reply"],
        }
    ),
]


def _with_plain_line_ends(text: str) -> str:
    """Otherwise editors on Windows would make every line look changed."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _none_if_blank(value: str | None) -> str | None:
    return value if value and value.strip() else None


PromptText = Annotated[
    CleanText, AfterValidator(_with_plain_line_ends), Field(max_length=LONGEST_DRAFT_TEXT)
]
SystemText = Annotated[PromptText | None, AfterValidator(_none_if_blank)]
PromptDescription = Annotated[Description, Field(examples=["Answers customers' first messages"])]
# Trimmed before its length is checked, which a constraint on `CleanText` would not do.
Changelog = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=10, max_length=500),
    AfterValidator(without_control_characters),
    Field(examples=["Ask for the order number first"]),
]
DraftVersion = Annotated[
    int, Field(ge=1, lt=2**31, description="The draft's `version` that you read")
]
VersionLabel = Annotated[
    str, StringConstraints(pattern=r"^(prod|production|latest|v[1-9][0-9]{0,8})$")
]


class FewShotBody(Schema):
    """An example: a question and its expected answer."""

    user: PromptText
    assistant: PromptText


class ToolBody(Schema):
    """A function the model may call; `parameters` is a JSON Schema of type object."""

    name: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
    description: Annotated[CleanText, Field(max_length=4000)] = ""
    parameters: ToolParameters = Field(default_factory=lambda: {"type": "object"})


def _unique_names(tools: list[ToolBody]) -> list[ToolBody]:
    for name, number in Counter(tool.name for tool in tools).items():
        if number > 1:
            raise ValueError(f"{number} tools are called {name}; each needs its own name.")
    return tools


class PromptContent(Schema):
    """Contents of a prompt. Variables are `{{name}}` in the double syntax, `{name}` in the
    single; `nunjucks` has conditions, loops and filters, as in promptfoo.
    """

    syntax: Syntax = Syntax.DOUBLE
    system: SystemText = None
    text: PromptText = ""
    few_shots: Annotated[list[FewShotBody], Field(max_length=100)] = Field(default_factory=list)
    tools: Annotated[list[ToolBody], Field(max_length=100), AfterValidator(_unique_names)] = Field(
        default_factory=list
    )

    def columns(self) -> dict[str, Any]:
        return self.model_dump(mode="json", include=set(PromptContent.model_fields))


class PromptRequest(PromptContent):
    name: PromptName
    kind: PromptKind = PromptKind.GENERATOR
    description: PromptDescription = None


class PromptChange(ResourceChange):
    """Fields left out are not changed. A new name restarts the version labels at v1."""

    MISSING_NAME = "Give the prompt a name."

    name: PromptName | None = None
    description: PromptDescription = None


class DuplicateRequest(Schema):
    """`name` defaults to a free one."""

    name: PromptName | None = None


class DraftChange(PromptContent):
    """`version` is the one you read; refused when the draft was saved since."""

    version: DraftVersion


class DraftRestore(Schema):
    version: DraftVersion


class VersionRequest(Schema):
    """Saves the draft as a version, if it is still the one you read."""

    version: DraftVersion
    changelog: Changelog


class ProductionChange(Schema):
    """Null removes the mark."""

    version_id: UUID | None


class PreviewRequest(Schema):
    """Renders the draft, or a version."""

    inputs: dict[str, AnyJson] = Field(default_factory=dict)
    version_id: UUID | None = None


class ContentPreviewRequest(PromptContent):
    """Renders contents that are not saved."""

    inputs: dict[str, AnyJson] = Field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptFilter:
    """Filters of a project's prompts."""

    kind: PromptKind | None = None
    status: Status = "active"


class FindingRead(Schema):
    """A finding about the draft: an error that prevents runs, or a likely mistake."""

    field: str
    message: str
    code: str
    prevents_runs: bool


class FewShotRead(Schema):
    user: str
    assistant: str


class ToolRead(Schema):
    name: str
    description: str
    parameters: dict[str, Any]


class ContentRead(Schema):
    """The contents of a prompt, and values derived from them."""

    syntax: Syntax
    system: str | None
    text: str
    few_shots: list[FewShotRead]
    tools: list[ToolRead]
    variables: list[str]
    wants_response: Annotated[bool, Field(description="Answers must have a `<response>` section")]
    wants_json: Annotated[bool, Field(description="Answers must be JSON")]


class DraftRead(ContentRead):
    """`is_changed`: the draft differs from the latest version."""

    version: int
    parent_id: UUID | None
    is_changed: bool
    updated_at: datetime
    warnings: list[FindingRead]


class VersionReference(Schema):
    """A version by its name and label."""

    id: UUID
    name: str
    label: Annotated[str, Field(examples=["v6"])]


class VersionSummary(VersionReference):
    sequence: int
    parent_id: UUID | None
    origin: VersionOrigin
    changelog: str | None
    author: str | None
    is_production: bool
    created_at: datetime


class VersionRead(VersionSummary, ContentRead):
    prompt_id: UUID
    digest: str


class PromptSummary(Schema):
    id: UUID
    name: str
    kind: PromptKind
    description: str | None
    variables: Annotated[list[str], Field(description="Those of the draft, in order of first use")]
    author: Annotated[str | None, Field(description="Who made the latest version, by email")]
    latest: VersionReference | None
    production: VersionReference | None
    archived_at: datetime | None
    created_at: datetime
    updated_at: datetime


class PromptRead(PromptSummary):
    draft: DraftRead


class MessageRead(Schema):
    role: Literal["user", "assistant"]
    text: str


class PreviewRead(Schema):
    """The messages a model would get. Variables without a value are left as written, in
    Nunjucks empty.
    """

    system: str | None
    messages: list[MessageRead]
    tools: list[ToolRead]
    variables: list[str]
    missing: list[str]
    unused: list[str]


class DiffRowRead(Schema):
    """One row of the side-by-side view; null for a side without a line."""

    kind: Literal["same", "changed", "removed", "added"]
    left_number: int | None
    left: str | None
    right_number: int | None
    right: str | None


class PartDiff(Schema):
    """`unified` is empty when the part did not change."""

    part: Literal["system", "text", "few_shots", "tools", "syntax"]
    added: int
    removed: int
    unified: str
    rows: list[DiffRowRead]


class DiffRead(Schema):
    left: str
    right: str
    parts: list[PartDiff]
