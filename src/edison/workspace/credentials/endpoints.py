"""Endpoints for a project's credentials and for providers."""

from dataclasses import asdict
from uuid import UUID

from fastapi import status

from edison.api.parameters import PageParams
from edison.api.routing import api_router, raises
from edison.api.schema import Page
from edison.api.session import CurrentDatabase, CurrentSettings, Session
from edison.kit.errors import Conflict
from edison.pipeline.generate import catalog
from edison.pipeline.generate.call_limits import DEFAULT_MAX_TOKENS, DEFAULT_RETRIES, CallLimits
from edison.settings import Settings
from edison.workspace.credentials import service
from edison.workspace.credentials.access import CurrentVault
from edison.workspace.credentials.errors import TestFailed
from edison.workspace.credentials.models import Credential
from edison.workspace.credentials.schemas import (
    AllowedVariableRead,
    AvailableModelRead,
    CredentialChange,
    CredentialLimits,
    CredentialRead,
    CredentialRequest,
    ProviderRead,
    TestResult,
)
from edison.workspace.credentials.vault import Vault
from edison.workspace.projects.access import (
    Admin,
    AdminWithoutTransaction,
    EditorWithoutTransaction,
    Viewer,
)

router = api_router("/projects/{project}", tag="credentials")


@router.get("/providers")
async def list_providers(
    member: Viewer, vault: CurrentVault, settings: CurrentSettings
) -> Page[ProviderRead]:
    """Lists the supported providers, each with the form of its credentials."""
    items = [_provider(key, vault, settings) for key in catalog.provider_keys()]
    return Page(items=items, next=None, total=len(items))


def _provider(key: str, vault: Vault, settings: Settings) -> ProviderRead:
    kind = catalog.load_provider(key)
    secret_fields = list(catalog.secret_fields(key))
    variables = vault.variables_for(kind) if secret_fields else {}
    defaults = CallLimits(
        timeout_seconds=settings.call_timeout_seconds,
        concurrency=settings.calls_per_credential,
        retries=DEFAULT_RETRIES,
        max_tokens=DEFAULT_MAX_TOKENS,
    )
    return ProviderRead(
        key=key,
        title=kind.title,
        is_simulated=kind.is_simulated,
        form=catalog.form_of(key),
        secret_fields=secret_fields,
        variables=[
            AllowedVariableRead(name=name, hosts=list(hosts)) for name, hosts in variables.items()
        ],
        limits=CredentialLimits(**asdict(kind.call_limits.over(defaults))),
    )


@router.get("/credentials", response_model=Page[CredentialRead])
async def list_credentials(member: Viewer, page: PageParams, session: Session) -> object:
    """Lists the project's credentials, without secrets."""
    return await service.list_credentials(session, project_id=member.project_id, page=page)


@router.post("/credentials", response_model=CredentialRead, status_code=status.HTTP_201_CREATED)
async def create_credential(
    body: CredentialRequest,
    member: AdminWithoutTransaction,
    database: CurrentDatabase,
    vault: CurrentVault,
) -> Credential:
    """Tests a credential with its provider and saves it. Nothing is saved when the test fails."""
    return await service.create_credential(
        database, project_id=member.project_id, wanted=body, vault=vault
    )


@router.patch("/credentials/{credential_id}", response_model=CredentialRead)
async def change_credential(
    credential_id: UUID,
    body: CredentialChange,
    member: AdminWithoutTransaction,
    database: CurrentDatabase,
    vault: CurrentVault,
) -> Credential:
    """Changes a credential's label or limits, makes it the default, or replaces settings and
    secrets.
    """
    return await service.change_credential(
        database,
        project_id=member.project_id,
        credential_id=credential_id,
        change=body,
        vault=vault,
    )


@router.post("/credentials/{credential_id}/test")
async def test_credential(
    credential_id: UUID,
    member: AdminWithoutTransaction,
    database: CurrentDatabase,
    vault: CurrentVault,
) -> TestResult:
    """Tests a saved credential with its provider."""
    failure = await service.test_credential(
        database, project_id=member.project_id, credential_id=credential_id, vault=vault
    )
    if failure is None:
        return TestResult(ok=True)
    refused = TestFailed(failure)
    return TestResult(ok=False, code=refused.code, message=refused.message)


@router.get("/credentials/{credential_id}/available-models", openapi_extra=raises(Conflict))
async def list_available_models(
    credential_id: UUID,
    member: EditorWithoutTransaction,
    database: CurrentDatabase,
    vault: CurrentVault,
) -> Page[AvailableModelRead]:
    """Lists the models that the credential's provider offers."""
    found = await service.list_available_models(
        database, project_id=member.project_id, credential_id=credential_id, vault=vault
    )
    items = [AvailableModelRead.model_validate(model) for model in found]
    return Page(items=items, next=None, total=len(items))


@router.delete("/credentials/{credential_id}", status_code=status.HTTP_204_NO_CONTENT)
async def delete_credential(credential_id: UUID, member: Admin, session: Session) -> None:
    """Deletes a credential that is not in use."""
    await service.delete_credential(
        session, project_id=member.project_id, credential_id=credential_id
    )
