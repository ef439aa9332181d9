"""Options and results of imports from files and of exports."""

from pathlib import Path
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from edison.api.schema import CleanText, Schema
from edison.exchange.formats import FormatName, PartKind
from edison.kit.lazy_dataclasses import dataclass
from edison.loops.bundles.manifest import BundleKind
from edison.loops.bundles.schemas import ImportedNames, OnExisting

ExportKind = Literal["prompt", "dataset", "project"]
ExportFormat = Literal["promptfoo", "edison", "md", "txt", "json"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportFile:
    """A file on disk. `is_confined`: it was uploaded, and names no other files of this machine."""

    path: Path
    name: str
    is_confined: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportOptions:
    """What to do with a file. With `is_preview`, nothing is stored."""

    project_id: UUID
    author_id: UUID | None = None
    format: FormatName | None = None
    existing: OnExisting = "refuse"
    grader_id: UUID | None = None
    is_preview: bool = False


class FormatRead(Schema):
    """A format that can be imported, and what its parts become."""

    key: FormatName
    title: Annotated[str, Field(examples=["promptfoo"])]
    description: str
    makes: list[PartKind]


@dataclass(frozen=True, slots=True, kw_only=True)
class FileImportQuery:
    """How to import a file."""

    wanted_format: Annotated[
        FormatName | None,
        Field(alias="format", description="Recognised from the content if left out"),
    ] = None
    name: Annotated[
        CleanText | None, Field(max_length=200, description="Names what has no name of its own")
    ] = None
    existing: Annotated[
        OnExisting, Field(description="What to do with names that the project already has")
    ] = "refuse"
    grader_id: Annotated[
        UUID | None,
        Field(description="The model that grades where none is named; by default the project's"),
    ] = None


class ImportedPart(Schema):
    """What a part of the file becomes. `count` is that of the cases of a dataset, or of the
    assertions of a scorer. `is_existing`: the project's own is used as it is.
    """

    source: Annotated[str, Field(examples=["12 tests"])]
    kind: Annotated[str, Field(examples=["dataset"])]
    name: str
    count: int | None = None
    is_existing: bool = False


class NotImportedRead(Schema):
    """Something that is not imported, and why."""

    what: Annotated[str, Field(examples=["sourceTraceId"])]
    reason: str
    place: Annotated[str | None, Field(examples=["promptfooconfig.yaml:12"])]
    count: int


class FileImportRead(Schema):
    """The result of an import or, in a preview, what it would be. `kind` is that of a bundle.
    `grader` is the model that grades assertions which name none.
    """

    format: FormatName
    name: str
    kind: BundleKind | None = None
    parts: list[ImportedPart]
    created: list[ImportedNames]
    skipped: Annotated[
        list[ImportedNames], Field(description="Existed already and were used as they are")
    ]
    runs: Annotated[int, Field(description="How many runs were imported with their results")] = 0
    copies: Annotated[int, Field(description="Cases that are in the file more than once")] = 0
    needs_credential: Annotated[
        list[str], Field(description="Models that cannot be called before a secret is entered")
    ]
    needs_grader: bool = False
    grader: str | None = None
    left_out: list[NotImportedRead]
