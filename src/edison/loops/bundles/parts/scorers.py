"""`rubrics.yaml` and `scorers.yaml`: saved rubrics and scorers with all their versions."""

from collections.abc import Callable, Collection, Mapping
from typing import Any
from uuid import UUID

from edison.kit.errors import Invalid
from edison.kit.lazy_dataclasses import dataclass
from edison.library.scorers import rubrics
from edison.library.scorers import service as scorers
from edison.library.scorers.models import Rubric, RubricVersion, SavedScorer, ScorerVersion
from edison.loops.bundles.columns import ColumnCodec, codec, uuid_of
from edison.loops.bundles.errors import BundleRefused
from edison.loops.bundles.parts.context import Export, Import

Columns = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedKind:
    """A resource of which all versions are in one YAML part. `check` validates a version, given the
    resource's columns, and returns its digest.
    """

    part: str
    table: type[Rubric] | type[SavedScorer]
    versions: type[RubricVersion] | type[ScorerVersion]
    owner: str
    check: Callable[[Columns, Columns], str]

    @property
    def codec(self) -> ColumnCodec:
        return codec(self.table, "latest_number", "updated_at")

    @property
    def version_codec(self) -> ColumnCodec:
        return codec(self.versions, self.owner, "digest")


RUBRICS = SavedKind(
    part="rubrics.yaml",
    table=Rubric,
    versions=RubricVersion,
    owner="rubric_id",
    check=lambda _, version: rubrics.check_restored(version["criteria"]),
)
SCORERS = SavedKind(
    part="scorers.yaml",
    table=SavedScorer,
    versions=ScorerVersion,
    owner="scorer_id",
    check=lambda scorer, version: scorers.check_restored(scorer["kind"], version),
)


async def write_saved(export: Export, kind: SavedKind, ids: Collection[UUID]) -> None:
    owner = getattr(kind.versions, kind.owner)
    described = []
    for row in await export.rows.list_by_id(kind.table, ids):
        versions = await export.rows.list(
            kind.versions, owner == row.id, order=[kind.versions.number]
        )
        described.append(
            {
                **kind.codec.encode(row),
                "versions": [kind.version_codec.encode(each) for each in versions],
            }
        )
    if described:
        export.writer.add_yaml(kind.part, described)


async def read_saved(into: Import, kind: SavedKind) -> None:
    for number, record in enumerate(into.bundle.yaml_list(kind.part), start=1):
        await _read_one(into, kind, record, f"{kind.part}:{number}")


async def _read_one(into: Import, kind: SavedKind, record: dict[str, Any], place: str) -> None:
    values = kind.codec.decode(record, place=place, identities=into.identities)
    versions = _versions(into, kind, record, values, place)
    kept = await into.find_kept(kind.table, values["name"], noun=kind.table.NOUN)
    if kept is not None:
        into.identities.use(uuid_of(record, "id", place=place), kept.id)
        await _use_kept_versions(into, kind, kept.id, record, versions)
        return
    values |= {
        "project_id": into.project_id,
        "name": await into.choose_name(kind.table, values["name"], noun=kind.table.NOUN),
        "latest_number": versions[-1]["number"],
        "updated_at": values["created_at"],
    }
    await into.rows.insert(kind.table, [values], part=place)
    rows = [{**each, kind.owner: values["id"]} for each in versions]
    await into.rows.insert(kind.versions, rows, part=place)


def _versions(
    into: Import, kind: SavedKind, record: dict[str, Any], values: Columns, place: str
) -> list[dict[str, Any]]:
    found = record.get("versions")
    if not isinstance(found, list) or not found:
        raise BundleRefused(place, "versions: At least one version is needed.")
    versions = []
    for each in found:
        if not isinstance(each, dict):
            raise BundleRefused(place, "versions: A version must be a mapping.")
        version = kind.version_codec.decode(each, place=place, identities=into.identities)
        try:
            version["digest"] = kind.check(values, version)
        except Invalid as wrong:
            problem = wrong.problems[0]
            said = problem.message.rstrip(".")
            raise BundleRefused(place, f"{problem.field}: {said}.") from wrong
        versions.append(version)
    return sorted(versions, key=lambda version: version["number"])


async def _use_kept_versions(
    into: Import,
    kind: SavedKind,
    kept_id: UUID,
    record: dict[str, Any],
    versions: list[dict[str, Any]],
) -> None:
    """References to a version of the bundle become references to an equal existing one."""
    owner = getattr(kind.versions, kind.owner)
    existing = {
        each.digest: each.id for each in await into.rows.list(kind.versions, owner == kept_id)
    }
    digests = {version["id"]: version["digest"] for version in versions}
    for each in record["versions"]:
        old = UUID(each["id"])
        new = into.identities.find(old)
        equal = None if new is None else existing.get(digests[new])
        into.identities.drop(old) if equal is None else into.identities.use(old, equal)
