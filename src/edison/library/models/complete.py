"""Validates a request for a model and fills in defaults from the known models."""

from edison.kit import ids
from edison.kit.errors import Invalid
from edison.library.models import stored, view
from edison.library.models.models import Model
from edison.library.models.schemas import ModelChange, ModelRequest
from edison.library.models.stored import Registration
from edison.pipeline.generate import catalog
from edison.pipeline.generate.call import Parameters
from edison.pipeline.generate.parameter_rules import problems_of
from edison.workspace.credentials.models import Credential


def new_model(credential: Credential, wanted: ModelRequest) -> Model:
    provider = catalog.load_provider(credential.provider)
    name = wanted.provider_model
    capabilities = provider.capabilities_of(name)
    if wanted.capabilities is not None:
        capabilities = stored.capabilities_of(wanted.capabilities)
    return Model(
        id=ids.new_id(),
        project_id=credential.project_id,
        credential_id=credential.id,
        provider_model=name,
        display_name=wanted.display_name or view.default_name(provider, name),
        context_window=wanted.context_window or provider.facts_of(name).context_window,
        capabilities=stored.column_of(capabilities),
        parameters=stored.column_of(
            checked(stored.parameters_of(wanted.parameters), credential.provider, name)
        ),
        prices=stored.price_column_of(wanted.prices),
        limits=wanted.limits.model_dump(exclude_none=True),
        is_enabled=wanted.is_enabled,
        is_default=False,
    )


def apply(registration: Registration, change: ModelChange) -> None:
    """Apply the fields that do not affect other models."""
    model = registration.model
    if "context_window" in change.model_fields_set:
        model.context_window = change.context_window
    if "prices" in change.model_fields_set:
        model.prices = stored.price_column_of(change.prices)
    if change.capabilities is not None:
        model.capabilities = stored.column_of(stored.capabilities_of(change.capabilities))
    if change.parameters is not None:
        wanted = stored.parameters_of(change.parameters)
        accepted = checked(wanted, registration.credential.provider, model.provider_model)
        model.parameters = stored.column_of(accepted)
    if change.limits is not None:
        model.limits = change.limits.model_dump(exclude_none=True)
    if change.is_enabled is not None:
        model.is_enabled = change.is_enabled


def free_name(name: str, taken: set[str]) -> str:
    """The name, or the name with the lowest number that makes it unique."""
    number, candidate = 2, name
    while candidate in taken:
        ending = f" ({number})"
        candidate = name[: view.LONGEST_NAME - len(ending)] + ending
        number += 1
    return candidate


def checked(parameters: Parameters, provider: str, provider_model: str) -> Parameters:
    """The parameters. Raises Invalid naming each that the model's rules forbid."""
    rules = catalog.load_provider(provider).parameter_rules(provider_model)
    if problems := problems_of(parameters, rules):
        raise Invalid(*problems)
    return parameters
