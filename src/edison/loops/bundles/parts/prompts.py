"""`prompts/<name>/`: `prompt.yaml` with the draft, and a YAML file per version."""

from collections.abc import Collection
from typing import Any
from uuid import UUID

from pydantic import ValidationError

from edison.library.prompts.content import PARTS, digest_of
from edison.library.prompts.models import Prompt, PromptDraft, PromptVersion
from edison.library.prompts.schemas import PromptContent
from edison.loops.bundles.archive import folder_name
from edison.loops.bundles.columns import codec, uuid_of
from edison.loops.bundles.errors import BundleRefused, refusal
from edison.loops.bundles.parts.context import Export, Import

_PROMPT = codec(Prompt, "updated_at")
_VERSION = codec(PromptVersion, "prompt_id", "digest")
_DRAFT = codec(PromptDraft, "prompt_id", "version")
_FOLDER = r"prompts/[^/]+/prompt\.yaml"


async def write_prompts(export: Export, prompt_ids: Collection[UUID]) -> None:
    rows = export.rows
    for number, prompt in enumerate(await rows.list_by_id(Prompt, prompt_ids), start=1):
        folder = f"prompts/{folder_name(number, prompt.name)}"
        draft = await rows.find(PromptDraft, PromptDraft.prompt_id == prompt.id)
        described = _PROMPT.encode(prompt)
        if draft is not None:
            described["draft"] = _DRAFT.encode(draft)
        export.writer.add_yaml(f"{folder}/prompt.yaml", described)
        for version in await rows.list(
            PromptVersion, PromptVersion.prompt_id == prompt.id, order=[PromptVersion.sequence]
        ):
            path = f"{folder}/versions/{version.sequence:04}-{version.label}.yaml"
            export.writer.add_yaml(path, _VERSION.encode(version))


async def read_prompts(into: Import) -> None:
    for path in into.bundle.matching(_FOLDER):
        folder = path.removesuffix("/prompt.yaml")
        record = into.bundle.yaml(path)
        values = _PROMPT.decode(record, place=path, identities=into.identities)
        versions = _versions(into, folder)
        kept = await into.find_kept(Prompt, values["name"], noun=Prompt.NOUN)
        if kept is None:
            await _add(into, record, values, versions, path)
        else:
            into.identities.use(uuid_of(record, "id", place=path), kept.id)
            await _use_kept_versions(into, kept.id, versions)


def _versions(into: Import, folder: str) -> list[tuple[str, UUID, dict[str, Any]]]:
    """Each with its path and its id in the bundle, in order: parents come first."""
    found = []
    for path in into.bundle.matching(rf"{folder}/versions/[^/]+\.yaml"):
        record = into.bundle.yaml(path)
        record |= _content(record, path)
        values = _VERSION.decode(record, place=path, identities=into.identities)
        values["digest"] = digest_of(_Parts(values))
        found.append((path, uuid_of(record, "id", place=path), values))
    found.sort(key=lambda each: each[2]["sequence"])
    return found


class _Parts:
    """Contents of a version that is not stored yet."""

    def __init__(self, values: dict[str, Any]) -> None:
        self.syntax: str = values["syntax"]
        self.system: str | None = values["system"]
        self.text: str = values["text"]
        self.few_shots: list[dict[str, Any]] = values["few_shots"]
        self.tools: list[dict[str, Any]] = values["tools"]


def _content(record: dict[str, Any], place: str) -> dict[str, Any]:
    """The contents, valid as in a request."""
    given = {name: record[name] for name in PARTS if name in record}
    try:
        return PromptContent.model_validate(given).columns()
    except ValidationError as wrong:
        raise refusal(wrong, place) from wrong


async def _add(
    into: Import,
    record: dict[str, Any],
    values: dict[str, Any],
    versions: list[tuple[str, UUID, dict[str, Any]]],
    path: str,
) -> None:
    name = values["name"]
    new = await into.choose_name(Prompt, name, noun=Prompt.NOUN)
    values |= {"project_id": into.project_id, "name": new, "updated_at": values["created_at"]}
    await into.rows.insert(Prompt, [values], part=path)
    for place, _, version in versions:
        version["prompt_id"] = values["id"]
        # Labels count versions under one name, so a new name is that of the versions too.
        version["name"] = new if version["name"] == name else version["name"]
        await into.rows.insert(PromptVersion, [version], part=place)
    draft = record.get("draft")
    if not isinstance(draft, dict):
        raise BundleRefused(path, "draft: This part is missing.", code="bad_value")
    stored = _DRAFT.decode(
        {**draft, **_content(draft, path)}, place=path, identities=into.identities
    )
    stored |= {"prompt_id": values["id"], "version": 1}
    await into.rows.insert(PromptDraft, [stored], part=path)


async def _use_kept_versions(
    into: Import, prompt_id: UUID, versions: list[tuple[str, UUID, dict[str, Any]]]
) -> None:
    """References to a version of the bundle become references to an equal existing one."""
    existing = {
        each.digest: each.id
        for each in await into.rows.list(PromptVersion, PromptVersion.prompt_id == prompt_id)
    }
    for _, old, version in versions:
        equal = existing.get(version["digest"])
        if equal is None:
            into.identities.drop(old)
        else:
            into.identities.use(old, equal)
