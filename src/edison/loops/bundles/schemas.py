"""Options and results of imports and exports."""

from typing import Annotated, Literal

from pydantic import Field

from edison.api.schema import Schema
from edison.loops.bundles.manifest import BundleKind

# What to do with names that the project already has.
OnExisting = Literal["refuse", "skip", "rename"]


class ImportedNames(Schema):
    """What an import made of one kind, by name."""

    kind: Annotated[str, Field(examples=["prompt"])]
    names: list[str]


class BundleImportRead(Schema):
    """The result of an import."""

    kind: BundleKind
    name: str
    created: list[ImportedNames]
    skipped: Annotated[
        list[ImportedNames], Field(description="Existed already and were used as they are")
    ]
    runs: Annotated[int, Field(description="How many runs were imported with their results")]
    needs_credential: Annotated[
        list[str], Field(description="Models that cannot be called before a secret is entered")
    ]
