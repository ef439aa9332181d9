"""A project's models: add, import, price, enable, and resolve for calls."""

import asyncio
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice
from edison.db.session import Database
from edison.kit.hook import Hook
from edison.kit.lazy_dataclasses import dataclass
from edison.library.models import complete, events, token_count, view
from edison.library.models.advice import advise
from edison.library.models.errors import AmbiguousName
from edison.library.models.lookup import get_credential, load_prices
from edison.library.models.models import Model
from edison.library.models.repository import Models
from edison.library.models.schemas import (
    CountRead,
    CountRequest,
    KnownModelRead,
    ModelAdviceRead,
    ModelChange,
    ModelFilter,
    ModelRead,
    ModelRequest,
    ParameterValues,
)
from edison.library.models.stored import (
    OWN_VERSION,
    Registration,
    column_of,
    parameters_of,
    stored_parameters,
)
from edison.pipeline.generate.call import Capabilities, Parameters
from edison.pipeline.generate.call_limits import CallLimits
from edison.pipeline.generate.prices import Prices, Rate
from edison.workspace.budgets.types import Need
from edison.workspace.credentials.models import Credential
from edison.workspace.resources.errors import DuplicateName, InUse

# A listener returns a sentence about what still uses the model, or None.
find_use: Hook[[AsyncSession, UUID], str | None] = Hook(
    "Before a model is deleted, in that transaction. A use refuses it."
)


# Provider of variants without a model; their answer is the prompt.
ECHO = "echo"
_ECHO_ID = UUID(int=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class CallableModel:
    """Everything a call needs. `prices` is None while unknown. `has_own_queue`: the model limits
    its concurrency itself.
    """

    id: UUID
    project_id: UUID
    display_name: str
    provider_model: str
    context_window: int | None
    is_enabled: bool
    credential: Credential
    provider: str
    provider_title: str
    is_simulated: bool
    capabilities: Capabilities
    parameters: Parameters
    prices: Prices | None
    limits: CallLimits
    has_own_queue: bool


async def list_models(
    session: AsyncSession, *, project_id: UUID, page: PageRequest, wanted: ModelFilter
) -> Slice[ModelRead]:
    found = await Models(session).list_of_project(project_id, page=page, wanted=wanted)
    await load_prices(credential for _, credential in found.items)
    return found.with_items([view.read_model(_registration(row)) for row in found.items])


async def get_model(session: AsyncSession, *, project_id: UUID, model_id: UUID) -> ModelRead:
    found = _registration(await Models(session).read(project_id, model_id))
    await load_prices([found.credential])
    return view.read_model(found)


async def get_callable(session: AsyncSession, *, project_id: UUID, model_id: UUID) -> CallableModel:
    found = _registration(await Models(session).read(project_id, model_id))
    await load_prices([found.credential])
    return _callable(found)


def echo_model(project_id: UUID) -> CallableModel:
    """A model that is in no registry and answers with its prompt, for questions that are judged."""
    credential = Credential(
        id=_ECHO_ID, project_id=project_id, provider=ECHO, settings={}, secrets={}, limits={}
    )
    model = Model(
        id=_ECHO_ID,
        project_id=project_id,
        display_name="Questions",
        provider_model=ECHO,
        is_enabled=True,
        capabilities={},
        parameters={},
        limits={},
    )
    free = Prices(
        input=Rate(nanos_per_million=0), output=Rate(nanos_per_million=0), version=OWN_VERSION
    )
    echo = _callable(Registration(model=model, credential=credential))
    return replace(echo, prices=free)


def is_echo(model: CallableModel) -> bool:
    """Whether it is the model of questions that are judged."""
    return model.id == _ECHO_ID


async def is_kept(session: AsyncSession, *, model_id: UUID) -> bool:
    """Whether the model still exists; it does until the transaction ends."""
    return await Models(session).is_kept(model_id)


async def find_by_name(
    session: AsyncSession, *, project_id: UUID, name: str
) -> CallableModel | None:
    """By display name, else by the provider's name. An exact display name takes precedence;
    otherwise case insensitive. Raises AmbiguousName.
    """
    wanted = name.strip()
    found = await Models(session).list_all(project_id)
    await load_prices(credential for _, credential in found)
    meant = (
        [row for row in found if row[0].display_name == wanted]
        or [row for row in found if row[0].display_name.casefold() == wanted.casefold()]
        or [row for row in found if row[0].provider_model.casefold() == wanted.casefold()]
    )
    if len(meant) > 1:
        raise AmbiguousName(wanted)
    return _callable(_registration(meant[0])) if meant else None


async def list_registered(session: AsyncSession, *, project_id: UUID) -> list[CallableModel]:
    """All models of the project, by name."""
    rows = await Models(session).list_all(project_id)
    await load_prices(credential for _, credential in rows)
    found = [_callable(_registration(row)) for row in rows]
    return sorted(found, key=lambda each: each.display_name)


async def list_alike(
    session: AsyncSession, *, project_id: UUID, provider: str, provider_model: str
) -> list[CallableModel]:
    """The project's models of this provider and provider's name, oldest first."""
    alike = [
        row
        for row in await Models(session).list_all(project_id)
        if (row[1].provider, row[0].provider_model) == (provider, provider_model)
    ]
    await load_prices(credential for _, credential in alike)
    return [_callable(_registration(row)) for row in alike]


async def find_usual(session: AsyncSession, *, project_id: UUID) -> CallableModel | None:
    """The project's default model, otherwise the first with a known price, if enabled."""
    rows = await Models(session).list_all(project_id)
    await load_prices(credential for _, credential in rows)
    enabled = [_callable(_registration(row)) for row in rows if row[0].is_enabled]
    default = {row[0].id for row in rows if row[0].is_default}
    return min(
        enabled,
        key=lambda each: (each.id not in default, each.prices is None, each.display_name),
        default=None,
    )


def choose_parameters(model: CallableModel, wanted: ParameterValues | None) -> Parameters:
    """The model's parameters, overridden by those that `wanted` sets. Raises Invalid."""
    if wanted is None:
        return model.parameters
    given = column_of(parameters_of(wanted))
    chosen = replace(model.parameters, **given)
    return complete.checked(chosen, model.provider, model.provider_model)


def least_need(models: Iterable[CallableModel]) -> Need:
    """The least that one call of any of the models reserves: its answer at max tokens."""
    least: dict[bool, int] = {}
    unpriced = set()
    for model in models:
        if model.prices is None:
            unpriced.add(model.display_name)
        most = model.parameters.max_tokens or 0
        nanos = (
            0
            if model.prices is None
            else model.prices.worst_case_nanos(input_tokens=0, max_tokens=most)
        )
        known = least.get(model.is_simulated)
        least[model.is_simulated] = nanos if known is None else min(known, nanos)
    return Need(
        real_nanos=least.get(False),
        simulated_nanos=least.get(True),
        unpriced=tuple(sorted(unpriced)),
    )


def parameter_values(parameters: Parameters) -> dict[str, Any]:
    """As JSON, without unset parameters."""
    return column_of(parameters)


def read_parameters(stored: Mapping[str, Any]) -> Parameters:
    """Inverse of `parameter_values`."""
    return stored_parameters(stored)


async def get_known(
    session: AsyncSession, *, project_id: UUID, credential_id: UUID, provider_model: str
) -> KnownModelRead:
    """What is known about a model before it is added."""
    credential = await get_credential(session, project_id, credential_id)
    await load_prices([credential])
    return view.read_known(credential.provider, provider_model)


async def get_advice(session: AsyncSession, *, project_id: UUID) -> ModelAdviceRead:
    rows = await Models(session).list_enabled(project_id)
    await load_prices(credential for _, credential in rows)
    return advise([_registration(row) for row in rows])


async def count_tokens(
    database: Database, *, project_id: UUID, model_id: UUID, wanted: CountRequest
) -> CountRead:
    """Takes a database, because counting a long text takes a while."""
    async with database.read() as session:
        model, credential = await Models(session).read(project_id, model_id)
    found = await asyncio.to_thread(
        token_count.count_request, wanted, model=model.provider_model, provider=credential.provider
    )
    window = model.context_window
    return CountRead(
        tokens=found.tokens,
        characters=token_count.characters_of(wanted),
        method=found.method,
        encoding=found.encoding,
        fits_context=None if window is None else found.tokens <= window,
    )


async def create_model(
    session: AsyncSession, *, project_id: UUID, wanted: ModelRequest
) -> ModelRead:
    """Add a model; fields left out are filled in from what is known about it."""
    models = Models(session)
    await models.lock_project(project_id)
    credential = await get_credential(session, project_id, wanted.credential_id, is_kept=True)
    await load_prices([credential])
    model = complete.new_model(credential, wanted)
    if await models.has_name(project_id, model.display_name):
        raise DuplicateName("model", path="display_name")
    # The first model becomes the default.
    if wanted.is_default or not await models.has_any(project_id):
        await models.clear_default(project_id)
        model.is_default = True
    session.add(model)
    await session.flush()
    registration = Registration(model=model, credential=credential)
    events.record(session, "model.created", model, after=events.described(registration))
    await events.publish(session, project_id, [model.id])
    return view.read_model(registration)


async def keep_model(
    session: AsyncSession, *, project_id: UUID, wanted: ModelRequest
) -> CallableModel:
    """The model of this credential and provider's name, added if it is missing; a number makes its
    display name unique. For commands, whose configuration names the model.
    """
    models = Models(session)
    for model, credential in await models.list_all(project_id):
        if (credential.id, model.provider_model) == (wanted.credential_id, wanted.provider_model):
            await load_prices([credential])
            return _callable(Registration(model=model, credential=credential))
    name = wanted.display_name or wanted.provider_model[: view.LONGEST_NAME]
    free = complete.free_name(name, await models.list_names(project_id))
    made = await create_model(
        session, project_id=project_id, wanted=wanted.model_copy(update={"display_name": free})
    )
    return await get_callable(session, project_id=project_id, model_id=made.id)


async def change_model(
    session: AsyncSession, *, project_id: UUID, model_id: UUID, change: ModelChange
) -> ModelRead:
    models = Models(session)
    await models.lock_project(project_id)
    registration = _registration(await models.get(project_id, model_id))
    await load_prices([registration.credential])
    model, before = registration.model, events.described(registration)
    if change.display_name is not None:
        if await models.has_name(project_id, change.display_name, but=model_id):
            raise DuplicateName("model", path="display_name")
        model.display_name = change.display_name
    complete.apply(registration, change)
    if change.is_default and not model.is_default:
        await models.clear_default(project_id)
        model.is_default = True
    await session.flush()
    after = events.described(registration)
    changed = {name for name in after if after[name] != before[name]}
    events.record(
        session,
        "model.changed",
        model,
        before={name: before[name] for name in changed},
        after={name: after[name] for name in changed},
    )
    await events.publish(session, project_id, [model_id])
    return view.read_model(registration)


async def are_simulated(
    session: AsyncSession, *, project_id: UUID, model_ids: Collection[UUID]
) -> bool:
    """Whether there are models, and all of them are simulated."""
    called = [
        await get_callable(session, project_id=project_id, model_id=each) for each in model_ids
    ]
    return bool(called) and all(each.is_simulated for each in called)


async def delete_model(session: AsyncSession, *, project_id: UUID, model_id: UUID) -> None:
    models = Models(session)
    registration = _registration(await models.get(project_id, model_id))
    if (use := await find_use.first(session, model_id)) is not None:
        raise InUse(use)
    await models.remove(model_id)
    events.record(
        session, "model.deleted", registration.model, before=events.described(registration)
    )
    await events.publish(session, project_id, [model_id])


async def find_use_of_credential(session: AsyncSession, credential_id: UUID) -> str | None:
    """Hook of credentials: which models use the credential."""
    names = await Models(session).list_names_using(credential_id)
    if not names:
        return None
    shown = ", ".join(f"“{name}”" for name in names[:3])
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    verb = "uses" if len(names) == 1 else "use"
    noun = "The model" if len(names) == 1 else "The models"
    return f"{noun} {shown}{more} {verb} this credential."


def _registration(row: tuple[Model, Credential]) -> Registration:
    return Registration(model=row[0], credential=row[1])


def _callable(registration: Registration) -> CallableModel:
    model, provider = registration.model, registration.provider
    return CallableModel(
        id=model.id,
        project_id=model.project_id,
        display_name=model.display_name,
        provider_model=model.provider_model,
        context_window=model.context_window,
        is_enabled=model.is_enabled,
        credential=registration.credential,
        provider=registration.credential.provider,
        provider_title=provider.title,
        is_simulated=provider.is_simulated,
        capabilities=registration.capabilities,
        parameters=registration.call_parameters,
        prices=registration.prices,
        limits=registration.limits,
        has_own_queue="concurrency" in model.limits,
    )
