"""Schemas of the import endpoints."""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import Field

from edison.api.schema import Schema
from edison.library.datasets.contents import LONGEST_VARIABLE_NAME, Origin, Split
from edison.library.datasets.files.csv_records import Delimiter
from edison.library.datasets.files.encodings import Encoding
from edison.library.datasets.files.mapping import ColumnMapping, ColumnTarget
from edison.library.datasets.files.rows import (
    LONGEST_COLUMN_NAME,
    MOST_COLUMNS,
    Format,
    Layout,
    LayoutChoice,
)
from edison.library.datasets.models import CaseImport
from edison.library.datasets.schemas.datasets import Tags

VariableName = Annotated[str, Field(max_length=LONGEST_VARIABLE_NAME)]


class MappedColumn(Schema):
    """`variable` is the variable's name for that target; `is_json`: cells hold JSON, not text."""

    column: Annotated[str, Field(max_length=LONGEST_COLUMN_NAME)]
    target: ColumnTarget
    variable: VariableName | None = None
    is_json: bool = False

    def mapping(self) -> ColumnMapping:
        return ColumnMapping(**dict(self))


Mapping = Annotated[list[MappedColumn], Field(max_length=MOST_COLUMNS)]


class RowProblemRead(Schema):
    line: int
    column: str | None
    message: str
    code: str


class ShownRowRead(Schema):
    line: int
    values: dict[str, str]


class ImportPreview(Schema):
    """How the file is read, and what its rows become with `mapping`."""

    format: Format
    encoding: Encoding
    delimiter: Delimiter | None
    columns: list[str]
    mapping: list[MappedColumn]
    rows: Annotated[list[ShownRowRead], Field(description="The first rows")]
    row_count: int
    good_rows: int
    bad_rows: int
    problem_count: Annotated[int, Field(description="How many there are; a row may have several")]
    problems: Annotated[list[RowProblemRead], Field(description="The first problems")]
    copies_in_file: Annotated[int, Field(description="Rows whose inputs repeat an earlier row's")]
    copies_in_dataset: Annotated[int, Field(description="Rows whose inputs the dataset has")]

    def layout(self) -> Layout:
        return Layout(format=self.format, encoding=self.encoding, delimiter=self.delimiter)


class ImportResult(Schema):
    added: int
    bad_rows: Annotated[int, Field(description="Left out because something was wrong with them")]
    copies: Annotated[int, Field(description="Left out because they were there already")]


class ImportRead(Schema):
    """An uploaded file. Nothing is added to the dataset until it is committed."""

    id: UUID
    dataset_id: UUID
    filename: str
    state: Literal["uploading", "pending", "committed"]
    size_bytes: int
    created_at: datetime
    expires_at: datetime
    preview: ImportPreview | None
    result: ImportResult | None

    @classmethod
    def of(cls, found: CaseImport) -> "ImportRead":
        return cls.model_validate(found)


class ImportChange(Schema):
    """Changes how the file is read. Fields left out are not changed; a new layout resets the
    mapping.
    """

    format: Format | None = None
    encoding: Encoding | None = None
    delimiter: Delimiter | None = None
    mapping: Mapping | None = None

    def layout(self, current: ImportPreview) -> LayoutChoice:
        """The layout with earlier choices kept, except for a delimiter that the new format does not
        have.
        """
        file_format = self.format or current.format
        delimiter = self.delimiter or (current.delimiter if file_format is Format.CSV else None)
        return LayoutChoice(
            format=file_format, encoding=self.encoding or current.encoding, delimiter=delimiter
        )

    def changes_layout(self) -> bool:
        return any((self.format, self.encoding, self.delimiter))


class ImportCommit(Schema):
    """`mapping` defaults to that of the preview."""

    mapping: Mapping | None = None
    on_bad_rows: Literal["stop", "skip"] = "stop"
    skip_copies: Annotated[
        bool, Field(description="Leave out rows whose inputs are there already")
    ] = False
    tags: Annotated[Tags, Field(default_factory=list, description="For all cases of the file")]
    split: Split | None = None
    origin: Origin | None = None
    required_variables: Annotated[
        list[VariableName],
        Field(default_factory=list, max_length=100, description="Must be mapped, or it is refused"),
    ]

    def described(self) -> dict[str, Any]:
        """For the audit log."""
        return self.model_dump(mode="json", include={"on_bad_rows", "skip_copies", "tags", "split"})
