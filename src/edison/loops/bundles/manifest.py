"""The manifest of a bundle: format, version, contents and the SHA-256 of every other file."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, StringConstraints, ValidationError

from edison.api.schema import Line, Schema
from edison.loops.bundles.errors import BundleRefused

MANIFEST = "manifest.json"
FORMAT = "edison-bundle"
# Raised when a part changes its place or its meaning. Additional fields do not raise it.
VERSION = 1
LARGEST_MANIFEST = 8_000_000

Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


class BundleKind(StrEnum):
    """What was exported. Stored in files; never rename."""

    PROMPT = "prompt"
    DATASET = "dataset"
    EXPERIMENT = "experiment"
    MONITOR = "monitor"
    PROJECT = "project"


class BundleFile(Schema):
    path: str
    size_bytes: Annotated[int, Field(ge=0)]
    sha256: Sha256


class BundleManifest(Schema):
    model_config = ConfigDict(extra="ignore")

    format: Literal["edison-bundle"]
    version: int
    kind: BundleKind
    name: Annotated[Line, Field(max_length=200)]
    created_at: datetime
    edison: Annotated[Line, Field(max_length=40)]
    files: list[BundleFile]


class _Header(Schema):
    """The fields that no version of the format changes."""

    model_config = ConfigDict(extra="ignore")

    format: str
    version: int


def read_manifest(content: bytes) -> BundleManifest:
    """Raises BundleRefused, also for a newer version of the format."""
    try:
        header = _Header.model_validate_json(content)
    except ValidationError as wrong:
        raise BundleRefused(
            MANIFEST, "This is not the manifest of a bundle.", code="bad_manifest"
        ) from wrong
    if header.format != FORMAT:
        raise BundleRefused(MANIFEST, "This file is not a bundle of Edison.", code="wrong_format")
    if header.version > VERSION:
        raise BundleRefused(
            MANIFEST,
            f"The bundle has format version {header.version}; this Edison reads up to {VERSION}. "
            "Update Edison first.",
            code="newer_format",
        )
    try:
        return BundleManifest.model_validate_json(content)
    except ValidationError as wrong:
        found = wrong.errors(include_input=False, include_context=False)[0]
        place = ".".join(str(part) for part in found["loc"])
        raise BundleRefused(MANIFEST, f"{place}: {found['msg']}.", code="bad_manifest") from wrong
