"""`models.yaml`: models with their prices and parameters, and the labels of their credentials.
Secrets and addresses are never exported.
"""

from collections.abc import Collection
from typing import Any
from uuid import UUID

from pydantic import ValidationError

from edison.library.models.models import Model
from edison.library.models.schemas import CapabilityValues, ParameterValues
from edison.loops.bundles.columns import codec
from edison.loops.bundles.errors import BundleRefused, refusal
from edison.loops.bundles.parts.context import Export, Import
from edison.pipeline.generate import catalog
from edison.workspace.credentials import service as credentials
from edison.workspace.credentials.models import Credential

PART = "models.yaml"
NOUN = "model"
_CODEC = codec(Model, "credential_id", "created_at", "updated_at")
_PRICES = {
    "input_nanos_per_million",
    "output_nanos_per_million",
    "cached_input_nanos_per_million",
}
_HIGHEST_PRICE_NANOS = 10_000 * 10**9


async def write_models(export: Export, model_ids: Collection[UUID]) -> None:
    models = await export.rows.list_by_id(Model, model_ids)
    credential_ids = {model.credential_id for model in models}
    of_id = {each.id: each for each in await export.rows.list_by_id(Credential, credential_ids)}
    described = [
        {
            **_CODEC.encode(model),
            "provider": of_id[model.credential_id].provider,
            "credential": of_id[model.credential_id].label,
        }
        for model in models
    ]
    if described:
        export.writer.add_yaml(PART, described)


async def read_models(into: Import) -> None:
    for number, record in enumerate(into.bundle.yaml_list(PART), start=1):
        place = f"{PART}:{number}"
        values = _CODEC.decode(record, place=place, identities=into.identities)
        _check(values, place)
        name = values["display_name"]
        kept = await into.find_kept(Model, name, noun=NOUN, column="display_name")
        if kept is not None:
            into.identities.use(UUID(record["id"]), kept.id)
            continue
        credential = await _credential(into, record, place)
        if credential.tested_at is None:
            into.needs_credential.append(name)
        values |= {
            "project_id": into.project_id,
            "credential_id": credential.id,
            "display_name": await into.choose_name(Model, name, noun=NOUN, column="display_name"),
            "is_default": values["is_default"] and not await _has_default(into),
        }
        await into.rows.insert(Model, [values], part=place)


async def _has_default(into: Import) -> bool:
    is_default = Model.is_default.is_(True)
    found = await into.rows.find(Model, Model.project_id == into.project_id, is_default)
    return found is not None


async def _credential(into: Import, record: dict[str, Any], place: str) -> Credential:
    """The project's credential of this provider and label, or a new one without a secret."""
    provider, label = record.get("provider"), record.get("credential")
    if provider not in catalog.provider_keys():
        raise BundleRefused(place, "provider: This Edison has no such provider.")
    if not isinstance(label, str) or not 0 < len(label) <= 100 or "\n" in label:
        raise BundleRefused(place, "credential: This is not the label of a credential.")
    same = (Credential.project_id == into.project_id, Credential.label == label)
    found = await into.rows.find(Credential, *same, Credential.provider == provider)
    if found is not None:
        return found
    if await into.rows.find(Credential, *same) is not None:
        label = f"{label[:80]} ({provider})"[:100]
    return await credentials.add_placeholder(
        into.session, project_id=into.project_id, provider=provider, label=label
    )


def _check(values: dict[str, Any], place: str) -> None:
    """That calls can read the JSON columns."""
    try:
        CapabilityValues.model_validate(values["capabilities"])
        ParameterValues.model_validate(values["parameters"])
    except ValidationError as wrong:
        raise refusal(wrong, place) from wrong
    prices = values["prices"]
    if prices is not None and not _are_prices(prices):
        raise BundleRefused(place, "prices: These are not prices.", code="bad_value")


def _are_prices(prices: Any) -> bool:
    return (
        isinstance(prices, dict)
        and prices.keys() == _PRICES
        and all(
            type(each) is int and 0 <= each <= _HIGHEST_PRICE_NANOS
            for name, each in prices.items()
            if each is not None or not name.startswith("cached")
        )
    )
