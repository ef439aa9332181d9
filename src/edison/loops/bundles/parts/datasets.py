"""`datasets/<name>/`: `dataset.yaml`, `cases.jsonl`, and `history.jsonl` with earlier versions of
the cases.
"""

from collections.abc import Collection
from typing import Any
from uuid import UUID

from pydantic import ValidationError
from sqlalchemy import select

from edison.kit.errors import Invalid
from edison.library.datasets import service as datasets
from edison.library.datasets.models import Case, CaseVersion, Dataset
from edison.library.datasets.schemas.datasets import CaseRequest
from edison.loops.bundles.archive import folder_name
from edison.loops.bundles.columns import codec, uuid_of
from edison.loops.bundles.errors import BundleRefused, refusal
from edison.loops.bundles.parts.context import Export, Import

_DATASET = codec(Dataset, "case_count", "next_position", "last_used_at", "updated_at")
_DERIVED = ("dataset_id", "import_id", "input_hash", "text")
_CASE = codec(Case, *_DERIVED)
_VERSION = codec(CaseVersion, *_DERIVED, "change_id", "case_id")
_FOLDER = r"datasets/[^/]+/dataset\.yaml"
_CONTENTS = tuple(CaseRequest.model_fields)


async def write_datasets(export: Export, dataset_ids: Collection[UUID]) -> None:
    rows = export.rows
    for number, dataset in enumerate(await rows.list_by_id(Dataset, dataset_ids), start=1):
        folder = f"datasets/{folder_name(number, dataset.name)}"
        export.writer.add_yaml(f"{folder}/dataset.yaml", _DATASET.encode(dataset))
        cases = rows.stream(Case, Case.dataset_id == dataset.id, order=[Case.position])
        await export.write_lines(f"{folder}/cases.jsonl", cases, _CASE.encode)
        kept = CaseVersion.case_id.in_(select(Case.id).where(Case.dataset_id == dataset.id))
        history = rows.stream(
            CaseVersion,
            CaseVersion.dataset_id == dataset.id,
            kept,
            order=[CaseVersion.position, CaseVersion.case_id, CaseVersion.version],
        )
        await export.write_lines(f"{folder}/history.jsonl", history, _version)


def _version(row: CaseVersion) -> dict[str, Any]:
    return {"case_id": str(row.case_id), **_VERSION.encode(row)}


async def read_datasets(into: Import) -> None:
    for path in into.bundle.matching(_FOLDER):
        record = into.bundle.yaml(path)
        values = _DATASET.decode(record, place=path, identities=into.identities)
        values["tags"] = _checked_tags(values.get("tags", []), path)
        old = uuid_of(record, "id", place=path)
        kept = await into.find_kept(Dataset, values["name"], noun=Dataset.NOUN)
        if kept is None:
            await _add(into, old, values, path)
        else:
            into.identities.use(old, kept.id)


async def _add(into: Import, old: UUID, values: dict[str, Any], path: str) -> None:
    folder = path.removesuffix("/dataset.yaml")
    dataset_id = await _add_dataset(into, old, values, path)
    highest = 0

    def case(place: str, line: dict[str, Any]) -> dict[str, Any]:
        nonlocal highest
        row = _CASE.decode(line, place=place, identities=into.identities) | _contents(line, place)
        if row["position"] < 1 or row["version"] < 1:
            raise BundleRefused(place, "Positions and versions count from 1.", code="bad_value")
        highest = max(highest, row["position"])
        return row | {"dataset_id": dataset_id, "import_id": None}

    def version(place: str, line: dict[str, Any]) -> dict[str, Any]:
        case_id = into.identities.find(uuid_of(line, "case_id", place=place))
        if case_id is None:
            raise BundleRefused(place, "case_id: The bundle has no such case.", code="bad_value")
        row = _VERSION.decode(line, place=place, identities=into.identities)
        derived = {"case_id": case_id, "dataset_id": dataset_id}
        return row | _contents(line, place) | derived | {"import_id": None, "change_id": None}

    count = await into.insert_lines(Case, f"{folder}/cases.jsonl", case)
    await into.insert_lines(CaseVersion, f"{folder}/history.jsonl", version)
    await datasets.note_restored(
        into.session, dataset_id=dataset_id, case_count=count, next_position=highest + 1
    )


async def _add_dataset(into: Import, old: UUID, values: dict[str, Any], path: str) -> UUID:
    """Every project begins with an empty dataset: one of the same name is filled."""
    empty = await into.rows.find(
        Dataset,
        Dataset.project_id == into.project_id,
        Dataset.name == values["name"],
        Dataset.next_position == 1,
    )
    if empty is not None:
        into.identities.use(old, empty.id)
        into.created.setdefault(Dataset.NOUN, []).append(empty.name)
        for name in ("kind", "description", "tags", "holdout_percent"):
            setattr(empty, name, values[name])
        await into.session.flush()
        return empty.id
    values |= {
        "project_id": into.project_id,
        "name": await into.choose_name(Dataset, values["name"], noun=Dataset.NOUN),
        "updated_at": values["created_at"],
        "case_count": 0,
        "next_position": 1,
    }
    await into.rows.insert(Dataset, [values], part=path)
    dataset_id: UUID = values["id"]
    return dataset_id


def _contents(line: dict[str, Any], place: str) -> dict[str, Any]:
    try:
        wanted = CaseRequest.model_validate(
            {name: line[name] for name in _CONTENTS if name in line}
        )
        return datasets.restore_columns(wanted)
    except ValidationError as wrong:
        raise refusal(wrong, place) from wrong
    except Invalid as wrong:
        raise _refusal(wrong, place) from wrong


def _checked_tags(tags: list[str], place: str) -> list[str]:
    """Of the dataset; bundles of earlier versions have none."""
    try:
        datasets.check_tags(tags)
    except Invalid as wrong:
        raise _refusal(wrong, place) from wrong
    return tags


def _refusal(wrong: Invalid, place: str) -> BundleRefused:
    problem = wrong.problems[0]
    return BundleRefused(place, f"{problem.field}: {problem.message}", code=problem.code)
