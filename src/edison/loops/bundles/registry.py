"""Import and export of the model registry as YAML or JSON, without secrets."""

from decimal import Decimal
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

import orjson
from pydantic import ValidationError
from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit.errors import FieldProblem, Invalid
from edison.library.models import service as models
from edison.library.models.schemas import ModelRequest, OwnPrices
from edison.loops.bundles.schemas import (
    TOKENS,
    RegistryFile,
    RegistryImport,
    RegistryImportRead,
    RegistryModel,
    RegistryPrices,
)
from edison.loops.bundles.yaml_text import read_yaml, write_yaml
from edison.pipeline.generate import catalog
from edison.workspace.audit import service as audit
from edison.workspace.credentials import service as credentials
from edison.workspace.credentials.models import Credential
from edison.workspace.credentials.schemas import CredentialRequest, SecretInput
from edison.workspace.credentials.vault import Vault

_MILLION = 1_000_000
_LONGEST_LABEL = 100
_KEY = "api_key"


async def preview_registry(
    session: AsyncSession, *, project_id: UUID, wanted: RegistryImport
) -> RegistryImportRead:
    """What an import would do. Raises the same errors."""
    entries = _read(wanted.content)
    _check(entries)
    registered = await models.list_registered(session, project_id=project_id)
    taken = {model.display_name for model in registered}
    known = {_connection(model.credential) for model in registered}
    new = [entry for entry in entries if entry.name not in taken]
    places = {_place(entry): _label(entry) for entry in new if _place(entry) not in known}
    return RegistryImportRead(
        created=[entry.name for entry in new],
        skipped=[entry.name for entry in entries if entry.name in taken],
        credentials=list(places.values()),
    )


async def import_registry(
    session: AsyncSession, *, project_id: UUID, wanted: RegistryImport, vault: Vault
) -> RegistryImportRead:
    """Adds models and the credentials they need. All or nothing: raises Invalid with one problem
    per field. Models whose name exists are left as they are.
    """
    done = await preview_registry(session, project_id=project_id, wanted=wanted)
    registered = await models.list_registered(session, project_id=project_id)
    known = {_connection(model.credential): model.credential.id for model in registered}
    for entry in _read(wanted.content):
        if entry.name not in done.created:
            continue
        place = _place(entry)
        if place not in known:
            known[place] = await _add_credential(session, project_id, entry, vault)
        request = _request(entry, known[place])
        await models.create_model(session, project_id=project_id, wanted=request)
    audit.record(
        session,
        "models.imported",
        entity=("project", project_id),
        project_id=project_id,
        after={"models": done.created, "credentials": done.credentials},
    )
    return done


async def export_registry(session: AsyncSession, *, project_id: UUID, file_format: str) -> bytes:
    """Prices are in dollars per million tokens. Keys are never exported, only the names of
    environment variables.
    """
    found = await models.list_registered(session, project_id=project_id)
    listed = {"models": [_exported(model) for model in found]}
    if file_format == "json":
        return orjson.dumps(listed, option=orjson.OPT_INDENT_2)
    return write_yaml(listed)


def _read(content: str) -> list[RegistryModel]:
    """JSON is YAML too."""
    try:
        return RegistryFile.model_validate(read_yaml(content.encode(), part="content")).models
    except ValidationError as wrong:
        problems = wrong.errors(include_input=False, include_context=False, include_url=False)
        raise Invalid(
            *(
                FieldProblem(
                    field=".".join(map(str, found["loc"])) or "content",
                    message=_sentence(found["type"], found["msg"]),
                    code=found["type"],
                )
                for found in problems
            )
        ) from wrong


def _check(entries: list[RegistryModel]) -> None:
    problems = []
    for at, entry in enumerate(entries):
        place = f"models.{at}"
        if any(entry.name == other.name for other in entries[:at]):
            problems.append((f"{place}.name", "Two models have this name.", "duplicate"))
        if entry.provider not in catalog.provider_keys():
            problems.append((f"{place}.provider", "There is no such provider.", "unknown"))
            continue
        shape = _settings(entry) | ({_KEY: "placeholder"} if entry.api_key_env else {})
        try:
            catalog.load_provider(entry.provider).model_validate(shape)
        except ValidationError as wrong:
            for found in wrong.errors(include_input=False, include_context=False):
                field = "api_key_env" if found["loc"][0] == _KEY else str(found["loc"][0])
                message = _sentence(found["type"], found["msg"])
                problems.append((f"{place}.{field}", message, found["type"]))
        if entry.prices is not None:
            problems += _price_problems(f"{place}.prices", entry.prices)
    if problems:
        raise Invalid(*(FieldProblem(field=f, message=m, code=c) for f, m, c in problems))


def _sentence(kind: str, message: str) -> str:
    return "This field is required." if kind == "missing" else message.removeprefix("Value error, ")


def _price_problems(place: str, prices: RegistryPrices) -> list[tuple[str, str, str]]:
    try:
        _own_prices(prices)
    except ValidationError as wrong:
        found = wrong.errors(include_input=False, include_context=False)
        names = [str(each["loc"][0]).removesuffix("_usd_per_million") for each in found]
        return [
            (f"{place}.{name}", each["msg"].removeprefix("Value error, "), "price")
            for name, each in zip(names, found, strict=True)
        ]
    return []


def _own_prices(prices: RegistryPrices) -> OwnPrices:
    factor = Decimal(_MILLION) / TOKENS[prices.unit]
    cached = prices.cached_input
    return OwnPrices(
        input_usd_per_million=prices.input * factor,
        output_usd_per_million=prices.output * factor,
        cached_input_usd_per_million=None if cached is None else cached * factor,
    )


def _place(entry: RegistryModel) -> tuple[str, str | None, str | None]:
    """Models with an equal one share a credential."""
    return entry.provider, entry.base_url, entry.api_key_env


def _settings(entry: RegistryModel) -> dict[str, Any]:
    return {} if entry.base_url is None else {"base_url": entry.base_url}


def _request(entry: RegistryModel, credential_id: UUID) -> ModelRequest:
    return ModelRequest(
        credential_id=credential_id,
        provider_model=entry.model or entry.name,
        display_name=entry.name,
        context_window=entry.context_window,
        prices=None if entry.prices is None else _own_prices(entry.prices),
    )


async def _add_credential(
    session: AsyncSession, project_id: UUID, entry: RegistryModel, vault: Vault
) -> UUID:
    secrets = {} if entry.api_key_env is None else {_KEY: SecretInput(env=entry.api_key_env)}
    request = CredentialRequest(
        provider=entry.provider, label=_label(entry), settings=_settings(entry), secrets=secrets
    )
    added = await credentials.keep_named(
        session, project_id=project_id, wanted=request, vault=vault
    )
    return added.id


def _label(entry: RegistryModel) -> str:
    title = catalog.load_provider(entry.provider).title
    parts = (title, urlsplit(entry.base_url or "").netloc, entry.api_key_env)
    return " · ".join(filter(None, parts))[:_LONGEST_LABEL]


def _connection(credential: Credential) -> tuple[str, str | None, str | None]:
    variable = (credential.secrets.get(_KEY) or {}).get("env")
    return credential.provider, credential.settings.get("base_url"), variable


def _exported(model: models.CallableModel) -> dict[str, Any]:
    provider, base_url, variable = _connection(model.credential)
    prices = model.prices
    rates: dict[str, Any] | None = None
    if prices is not None:
        cached = prices.cached_input
        rates = {
            "input": _usd(prices.input.nanos_per_million),
            "output": _usd(prices.output.nanos_per_million),
            **({} if cached is None else {"cached_input": _usd(cached.nanos_per_million)}),
            "unit": "per_million_tokens",
        }
    told = {
        "name": model.display_name,
        "model": model.provider_model,
        "provider": provider,
        "base_url": base_url,
        "api_key_env": variable,
        "context_window": model.context_window,
        "prices": rates,
    }
    return {name: value for name, value in told.items() if value is not None}


def _usd(nanos: int) -> str:
    return format((Decimal(nanos) / 1_000_000_000).normalize(), "f")
