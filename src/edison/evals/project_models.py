"""Models for evaluations on a server: those that the project has. A plan adds no credentials, so it
needs no more than the role that starts runs.
"""

from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.evals.errors import ConfigError
from edison.evals.plan import EvalProvider
from edison.evals.register import find_own, parameters_for
from edison.evals.targets import Target, TargetKind, target_of
from edison.library.models import service as models
from edison.library.models.service import CallableModel
from edison.pipeline.generate.call import Parameters


class ProjectModels:
    def __init__(self, session: AsyncSession, *, project_id: UUID) -> None:
        self._session = session
        self._project_id = project_id

    async def model_of(
        self, provider: EvalProvider, *, function: str | None = None
    ) -> tuple[CallableModel, Parameters]:
        """Raises ConfigError."""
        if function is not None:
            raise ConfigError("Recorded answers are evaluated only by the command.")
        target = target_of(provider, {})
        if target.kind is TargetKind.OWN:
            found = await find_own(self._session, self._project_id, provider, target)
        else:
            found = await self._find(provider, target)
        return found, parameters_for(found, provider, target)

    async def _find(self, provider: EvalProvider, target: Target) -> CallableModel:
        alike = await models.list_alike(
            self._session,
            project_id=self._project_id,
            provider=target.provider,
            provider_model=target.model,
        )
        enabled = [each for each in alike if each.is_enabled and is_at(each, target)]
        if not enabled:
            raise ConfigError(
                f"The project has no enabled model for {provider.id}. Add it under Models, or name "
                "one of the project's models: edison:NAME."
            )
        return enabled[0]


def is_at(model: CallableModel, target: Target) -> bool:
    """Whether the model is at the address that the configuration names."""
    for name in ("base_url", "endpoint"):
        wanted, has = target.settings.get(name), model.credential.settings.get(name)
        if wanted is not None and str(has or "").rstrip("/") != wanted.rstrip("/"):
            return False
    return True
