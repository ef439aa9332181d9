"""Models of imported configurations: the project's own where it has one alike, otherwise new ones.
Keys are not imported: a new credential waits for its secret.
"""

from urllib.parse import urlsplit
from uuid import UUID

from pydantic import ValidationError
from sqlalchemy.ext.asyncio import AsyncSession

from edison.evals.errors import ConfigError
from edison.evals.plan import EvalProvider
from edison.evals.project_models import is_at
from edison.evals.register import find_own
from edison.evals.targets import Target, TargetKind, target_of
from edison.kit.errors import Invalid
from edison.kit.lazy_dataclasses import dataclass
from edison.library.models import service as models
from edison.library.models.schemas import ModelRequest, ParameterValues
from edison.pipeline.generate import catalog
from edison.workspace.credentials import service as credentials

_LONGEST_LABEL = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptModel:
    id: UUID
    name: str
    is_new: bool
    needs_credential: bool


class ImportedModels:
    def __init__(self, session: AsyncSession, project_id: UUID) -> None:
        self._session = session
        self._project_id = project_id

    async def keep(self, provider: EvalProvider) -> KeptModel:
        """The model of a provider, found or added. Raises ConfigError."""
        target = target_of(provider, {})
        if target.is_code or target.kind is TargetKind.ECHO:
            raise ConfigError("It is no model of a vendor.")
        if target.kind is TargetKind.OWN:
            own = await find_own(self._session, self._project_id, provider, target)
            return KeptModel(id=own.id, name=own.display_name, is_new=False, needs_credential=False)
        alike = await models.list_alike(
            self._session,
            project_id=self._project_id,
            provider=target.provider,
            provider_model=target.model,
        )
        for each in alike:
            if is_at(each, target):
                is_incomplete = each.credential.tested_at is None
                return KeptModel(
                    id=each.id,
                    name=each.display_name,
                    is_new=False,
                    needs_credential=is_incomplete,
                )
        return await self._add(provider, target)

    async def _add(self, provider: EvalProvider, target: Target) -> KeptModel:
        credential = await credentials.find_or_add_placeholder(
            self._session,
            project_id=self._project_id,
            provider=target.provider,
            label=_label(target),
            settings={key: each for key, each in target.settings.items() if key != "access_key_id"},
        )
        name = " ".join((provider.label or target.model).split())[:_LONGEST_LABEL]
        try:
            wanted = ModelRequest(
                credential_id=credential.id,
                provider_model=target.model,
                display_name=name,
                parameters=ParameterValues.model_validate(dict(target.parameters)),
            )
            made = await models.keep_model(
                self._session, project_id=self._project_id, wanted=wanted
            )
        except ValidationError as wrong:
            first = wrong.errors(include_input=False)[0]
            raise ConfigError(f"{first['loc'][-1]}: {first['msg']}.") from wrong
        except Invalid as wrong:
            told = "; ".join(f"{each.field}: {each.message}" for each in wrong.problems)
            raise ConfigError(told) from wrong
        return KeptModel(
            id=made.id,
            name=made.display_name,
            is_new=True,
            needs_credential=credential.tested_at is None,
        )


def _label(target: Target) -> str:
    title = catalog.load_provider(target.provider).title
    address = target.settings.get("base_url") or target.settings.get("endpoint") or ""
    return " · ".join(filter(None, (title, urlsplit(address).netloc)))[:_LONGEST_LABEL]
