"""The project of an evaluation, and its models: each provider of a configuration becomes a model
with a credential. Keys stay in the environment unless the configuration holds them.
"""

import hashlib
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Protocol
from urllib.parse import urlsplit
from uuid import UUID

from pydantic import SecretStr, ValidationError
from sqlalchemy.ext.asyncio import AsyncSession

from edison.evals.errors import ConfigError
from edison.evals.graders import graders_of
from edison.evals.plan import EvalPlan, EvalProvider
from edison.evals.targets import Target, TargetKind, target_of
from edison.kit.credential_variables import Variables
from edison.kit.errors import Invalid
from edison.kit.nearest import did_you_mean
from edison.library.models import service as models
from edison.library.models.schemas import ModelRequest, OwnPrices, ParameterValues
from edison.library.models.service import CallableModel
from edison.pipeline.generate import catalog
from edison.pipeline.generate.call import Parameters
from edison.workspace.accounts import service as accounts
from edison.workspace.accounts.sign_in_links import find_or_add_local_owner
from edison.workspace.credentials import service as credentials
from edison.workspace.credentials.schemas import CredentialRequest, SecretInput
from edison.workspace.credentials.vault import Vault
from edison.workspace.projects import service as projects
from edison.workspace.projects.models import Project

PROJECT = "Evaluations"
_SLUG = "evaluations"
_LONGEST_LABEL = 100
_LONGEST_MODEL = 300


async def find_or_add_project(session: AsyncSession, *, slug: str | None) -> Project:
    """The named project, or “Evaluations”, which is made on first use. Raises NotFound."""
    if slug is not None:
        return await projects.get_project(session, slug=slug)
    found = await projects.find_project(session, slug=_SLUG)
    if found is not None:
        return found
    # An evaluation makes no accounts: the first account gets the project.
    owner = await find_or_add_local_owner(session) if await accounts.has_users(session) else None
    description = "Runs of `edison eval`."
    return await projects.create_project(
        session, owner_id=None if owner is None else owner.id, name=PROJECT, description=description
    )


def named_variables(plan: EvalPlan, env: Mapping[str, str]) -> Variables:
    """The variables that hold keys, each with the host that the configuration sends it to."""
    asked = [each.provider for each in plan.columns] + graders_of(plan)
    targets = [target_of(each, env) for each in asked]
    return {
        each.variable: (host,)
        for each in targets
        if each.variable and (host := urlsplit(each.settings.get("base_url", "")).hostname)
    }


class ModelRegistry(Protocol):
    """Gives the models of providers."""

    async def model_of(
        self, provider: EvalProvider, *, function: str | None = None
    ) -> tuple[CallableModel, Parameters]:
        """With `function`, the local function of this name answers. Raises ConfigError."""


class Registry:
    """Finds or adds the model of each provider. `env` are the variables of the command."""

    def __init__(
        self, session: AsyncSession, *, project_id: UUID, vault: Vault, env: Mapping[str, str]
    ) -> None:
        self._session = session
        self._project_id = project_id
        self._vault = vault
        self._env = env

    async def model_of(
        self, provider: EvalProvider, *, function: str | None = None
    ) -> tuple[CallableModel, Parameters]:
        """With `function`, the local function of this name answers. Raises ConfigError."""
        target = target_of(provider, self._env)
        if target.kind is TargetKind.OWN and function is None:
            found = await find_own(self._session, self._project_id, provider, target)
            return found, parameters_for(found, provider, target)
        if function is not None:
            target = Target(kind=target.kind, provider="local_code", model=function)
        self._check_key(provider, target)
        credential = await credentials.keep_named(
            self._session,
            project_id=self._project_id,
            wanted=_credential(target, has_key=bool(self._env.get(target.variable or ""))),
            vault=self._vault,
        )
        try:
            model = await models.keep_model(
                self._session,
                project_id=self._project_id,
                wanted=_model(credential.id, provider, target),
            )
        except Invalid as wrong:
            raise _config_error(wrong, provider) from wrong
        return model, parameters_for(model, provider, target)

    def _check_key(self, provider: EvalProvider, target: Target) -> None:
        """A missing key is named before anything is spent."""
        if target.missing is not None:
            message = f"{provider.id} needs {target.missing} in the environment; it is not set."
            raise ConfigError(message, provider.place)
        name = target.variable
        if name is None or self._env.get(name) or not _needs_key(target):
            return
        message = f"{provider.id} needs the environment variable {name}, which is not set."
        raise ConfigError(message, provider.place)


async def find_own(
    session: AsyncSession, project_id: UUID, provider: EvalProvider, target: Target
) -> CallableModel:
    """The model that the project has under this name. Raises ConfigError."""
    found = await models.find_by_name(session, project_id=project_id, name=target.model)
    if found is None:
        known = await models.list_registered(session, project_id=project_id)
        hint = did_you_mean(target.model, [each.display_name for each in known])
        message = f"The project has no model “{target.model}”.{hint}"
        raise ConfigError(f"{message} `edison models` lists them.", provider.place)
    return found


def parameters_for(model: CallableModel, provider: EvalProvider, target: Target) -> Parameters:
    """Those of the model, overridden by the configuration. Raises ConfigError."""
    try:
        values = ParameterValues.model_validate(dict(target.parameters))
        return models.choose_parameters(model, values)
    except Invalid as wrong:
        raise _config_error(wrong, provider) from wrong
    except ValidationError as wrong:
        first = wrong.errors()[0]
        raise ConfigError(f"{first['loc'][-1]}: {first['msg']}.", provider.place) from wrong


def _config_error(wrong: Invalid, provider: EvalProvider) -> ConfigError:
    problems = "; ".join(f"{each.field}: {each.message}" for each in wrong.problems)
    return ConfigError(problems, provider.place)


def _needs_key(target: Target) -> bool:
    field = catalog.load_provider(target.provider).model_fields.get("api_key")
    return field is not None and field.is_required()


def _credential(target: Target, *, has_key: bool) -> CredentialRequest:
    secrets = {name: SecretInput(value=SecretStr(each)) for name, each in target.secrets.items()}
    if target.secret is not None:
        secrets["api_key"] = SecretInput(value=SecretStr(target.secret))
    elif target.variable is not None and has_key:
        secrets["api_key"] = SecretInput(env=target.variable)
    return CredentialRequest(
        provider=target.provider,
        label=_label(target),
        settings=dict(target.settings),
        secrets=secrets,
    )


def _label(target: Target) -> str:
    title = catalog.load_provider(target.provider).title
    host = urlsplit(target.settings.get("base_url") or target.settings.get("endpoint") or "").netloc
    key = target.variable or ""
    sealed = target.secret or "".join(target.secrets.values())
    if sealed:
        key = f"key {hashlib.sha256(sealed.encode()).hexdigest()[:8]}"
    return " · ".join(filter(None, (title, host, key)))[:_LONGEST_LABEL]


def _model(credential_id: UUID, provider: EvalProvider, target: Target) -> ModelRequest:
    free: Any = None
    if target.is_code or target.kind is TargetKind.ECHO or target.provider == "local_code":
        free = OwnPrices(input_usd_per_million=Decimal(0), output_usd_per_million=Decimal(0))
    name = " ".join((provider.name or target.model).split())
    return ModelRequest(
        credential_id=credential_id,
        provider_model=target.model[:_LONGEST_MODEL],
        display_name=name[:_LONGEST_LABEL],
        prices=free,
    )
