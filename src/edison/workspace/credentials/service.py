"""Credentials: tested before they are saved, sealed at rest, never returned.

Functions that call the provider take a `Database` instead of a session: a provider may take many
seconds, during which no transaction may be open.
"""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice
from edison.db.session import Database
from edison.kit import clock, ids
from edison.kit.errors import FieldProblem, Invalid
from edison.kit.hook import Hook
from edison.pipeline.generate import catalog
from edison.pipeline.generate.outcome import CallFailed, FailureReason
from edison.pipeline.generate.provider import AvailableModel
from edison.workspace.audit import service as audit
from edison.workspace.credentials import secrets
from edison.workspace.credentials.errors import DuplicateLabel, MissingSecret, TestFailed
from edison.workspace.credentials.form import check_fields
from edison.workspace.credentials.models import Credential
from edison.workspace.credentials.repository import Credentials
from edison.workspace.credentials.schemas import CredentialChange, CredentialRequest
from edison.workspace.credentials.vault import Vault
from edison.workspace.events import service as events
from edison.workspace.resources.errors import InUse

# The failure of a credential that was imported without its secret.
INCOMPLETE = "needs_credential"
# A listener returns a sentence about what still uses the credential, or None.
find_use: Hook[[AsyncSession, UUID], str | None] = Hook(
    "Before a credential is deleted, in that transaction. A use refuses it."
)


async def list_credentials(
    session: AsyncSession, *, project_id: UUID, page: PageRequest
) -> Slice[Credential]:
    return await Credentials(session).list_of_project(project_id, page=page)


async def create_credential(
    database: Database, *, project_id: UUID, wanted: CredentialRequest, vault: Vault
) -> Credential:
    """Test the credential and save it. Nothing is saved when the test fails."""
    async with database.read() as session:
        if await Credentials(session).has_label(project_id, wanted.label):
            raise DuplicateLabel
    now = clock.now()
    credential = Credential(
        id=ids.new_id(),
        project_id=project_id,
        provider=wanted.provider,
        label=wanted.label,
        settings=wanted.settings,
        secrets=secrets.store(wanted.secrets, vault.keys),
        limits=wanted.limits.model_dump(exclude_none=True),
        is_default=False,
        tested_at=now,
        failure=None,
        created_at=now,
        updated_at=now,
    )
    await _check_with_provider(credential, vault)
    async with database.write() as session:
        credentials = Credentials(session)
        if await credentials.has_label(project_id, wanted.label):
            raise DuplicateLabel
        # The first credential of a provider becomes the default.
        if wanted.is_default or not await credentials.has_default(project_id, wanted.provider):
            await credentials.clear_default(project_id, wanted.provider)
            credential.is_default = True
        return await _add(session, credential)


async def change_credential(
    database: Database,
    *,
    project_id: UUID,
    credential_id: UUID,
    change: CredentialChange,
    vault: Vault,
) -> Credential:
    """Change the label or limits, make default, or replace settings and secrets, which are tested
    first.
    """
    async with database.read() as session:
        current = await Credentials(session).get(project_id, credential_id)
    replaced = _replacement(current, change, vault)
    if replaced is not None:
        await _check_with_provider(replaced, vault)
    async with database.write() as session:
        credentials = Credentials(session)
        credential = await credentials.get(project_id, credential_id)
        before = _described(credential)
        if change.label is not None:
            if await credentials.has_label(project_id, change.label, but=credential_id):
                raise DuplicateLabel
            credential.label = change.label
        if replaced is not None:
            credential.settings, credential.secrets = replaced.settings, replaced.secrets
            credential.tested_at, credential.failure = clock.now(), None
        if change.limits is not None:
            credential.limits = change.limits.model_dump(exclude_none=True)
        if change.is_default:
            await credentials.clear_default(project_id, credential.provider)
            credential.is_default = True
        await session.flush()
        await _note(
            session, credential, "credential.changed", before=before, after=_described(credential)
        )
    return credential


def _replacement(current: Credential, change: CredentialChange, vault: Vault) -> Credential | None:
    """The credential with new settings or secrets; None when the change affects neither."""
    if change.settings is None and change.secrets is None:
        return None
    settings = current.settings if change.settings is None else change.settings
    kept = dict(current.secrets)
    if settings != current.settings and kept and change.secrets is None:
        # A secret must not be sent to a host other than the one it was entered for.
        raise Invalid(
            FieldProblem(
                field="secrets",
                message="Enter the secret again when you change where it is sent.",
                code="secret_needed",
            )
        )
    if change.secrets is not None:
        kept = secrets.store(change.secrets, vault.keys)
    return Credential(provider=current.provider, settings=settings, secrets=kept)


async def test_credential(
    database: Database, *, project_id: UUID, credential_id: UUID, vault: Vault
) -> CallFailed | None:
    """Test with the provider and store the result. None: it works."""
    async with database.read() as session:
        credential = await Credentials(session).get(project_id, credential_id)
    failure = await _check(credential, vault)
    async with database.write() as session:
        await Credentials(session).note_test(
            credential_id, at=clock.now(), failure=None if failure is None else failure.reason
        )
        await _note(
            session,
            credential,
            "credential.tested",
            after={"failure": None if failure is None else failure.reason},
        )
    return failure


async def list_available_models(
    database: Database, *, project_id: UUID, credential_id: UUID, vault: Vault
) -> list[AvailableModel]:
    """The models that the provider offers."""
    async with database.read() as session:
        credential = await Credentials(session).get(project_id, credential_id)
    try:
        provider = vault.open(credential)
    except MissingSecret as missing:
        raise TestFailed(missing.failure()) from missing
    try:
        found = await provider.list_models()
    finally:
        await provider.close()
    if isinstance(found, CallFailed):
        raise TestFailed(found)
    return found


async def delete_credential(
    session: AsyncSession, *, project_id: UUID, credential_id: UUID
) -> None:
    credentials = Credentials(session)
    credential = await credentials.get(project_id, credential_id)
    if (use := await find_use.first(session, credential_id)) is not None:
        raise InUse(use)
    await credentials.remove(credential_id)
    await _note(session, credential, "credential.deleted", before=_described(credential))


async def add_simulated(
    session: AsyncSession,
    *,
    project_id: UUID,
    label: str,
    settings: Mapping[str, Any] | None = None,
    is_default: bool = True,
) -> Credential:
    """A credential for the simulated models, which needs neither key nor test."""
    now = clock.now()
    credential = Credential(
        id=ids.new_id(),
        project_id=project_id,
        provider="sim",
        label=label,
        settings=dict(settings or {}),
        secrets={},
        limits={},
        is_default=is_default,
        tested_at=now,
        created_at=now,
        updated_at=now,
    )
    return await _add(session, credential)


async def add_placeholder(
    session: AsyncSession,
    *,
    project_id: UUID,
    provider: str,
    label: str,
    settings: Mapping[str, str] | None = None,
) -> Credential:
    """A credential without a secret, for imported models: it cannot be used before a secret is
    entered. Simulated providers need none.
    """
    is_simulated = catalog.load_provider(provider).is_simulated
    now = clock.now()
    credential = Credential(
        id=ids.new_id(),
        project_id=project_id,
        provider=provider,
        label=label,
        settings=dict(settings or {}),
        secrets={},
        is_default=not await Credentials(session).has_default(project_id, provider),
        tested_at=now if is_simulated else None,
        failure=None if is_simulated else INCOMPLETE,
        created_at=now,
        updated_at=now,
    )
    return await _add(session, credential)


async def find_or_add_placeholder(
    session: AsyncSession,
    *,
    project_id: UUID,
    provider: str,
    label: str,
    settings: Mapping[str, str],
) -> Credential:
    """The project's credential of this provider with these settings, the default one first;
    otherwise a new one without a secret.
    """
    alike = [
        each
        for each in await Credentials(session).list_of_provider(project_id, provider)
        if all(str(each.settings.get(name) or "") == value for name, value in settings.items())
        and ("base_url" in settings or not each.settings.get("base_url"))
    ]
    if alike:
        return alike[0]
    free, number = label, 2
    while await Credentials(session).has_label(project_id, free):
        free, number = f"{label[:90]} {number}", number + 1
    return await add_placeholder(
        session, project_id=project_id, provider=provider, label=free, settings=settings
    )


async def keep_named(
    session: AsyncSession, *, project_id: UUID, wanted: CredentialRequest, vault: Vault
) -> Credential:
    """The credential of this label, added or brought up to date. It is not tested: the first call
    does that. For commands, whose configuration names the credential.
    """
    now = clock.now()
    credential = await Credentials(session).find_by_label(project_id, wanted.label)
    stored = secrets.store(wanted.secrets, vault.keys)
    if credential is None:
        credential = Credential(
            id=ids.new_id(),
            project_id=project_id,
            provider=wanted.provider,
            label=wanted.label,
            settings=wanted.settings,
            secrets=stored,
            limits=wanted.limits.model_dump(exclude_none=True),
            is_default=not await Credentials(session).has_default(project_id, wanted.provider),
            tested_at=now,
            created_at=now,
            updated_at=now,
        )
        return await _add(session, credential)
    credential.settings, credential.secrets = wanted.settings, stored
    credential.failure, credential.tested_at = None, now
    await session.flush()
    return credential


async def _add(session: AsyncSession, credential: Credential) -> Credential:
    session.add(credential)
    await session.flush()
    await _note(session, credential, "credential.created", after=_described(credential))
    return credential


async def mark_refused(database: Database, credential: Credential) -> None:
    """Mark the credential as refused by the provider."""
    async with database.write() as session:
        await Credentials(session).note_test(
            credential.id, at=clock.now(), failure=FailureReason.INVALID_KEY
        )
        await _note(
            session,
            credential,
            "credential.refused",
            after={"failure": FailureReason.INVALID_KEY},
        )


def title_of(credential: Credential) -> str:
    return catalog.load_provider(credential.provider).title


def service_of(credential: Credential) -> str:
    """Names the provider and the credential in messages: a project may have several of a kind."""
    title, label = title_of(credential), credential.label
    return label if label.startswith(title) else f"{title} ({label})"


async def _check_with_provider(credential: Credential, vault: Vault) -> None:
    check_fields(credential)
    failure = await _check(credential, vault)
    if failure is not None:
        raise TestFailed(failure)


async def _check(credential: Credential, vault: Vault) -> CallFailed | None:
    try:
        provider = vault.open(credential)
    except MissingSecret as missing:
        return missing.failure()
    try:
        return await provider.check()
    finally:
        await provider.close()


def _described(credential: Credential) -> dict[str, Any]:
    """For the audit log: everything but the secrets."""
    return {
        "label": credential.label,
        "provider": credential.provider,
        "settings": credential.settings,
        "limits": credential.limits,
        "is_default": credential.is_default,
    }


async def _note(
    session: AsyncSession, credential: Credential, action: str, **values: dict[str, Any]
) -> None:
    audit.record(
        session,
        action,
        entity=("credential", credential.id),
        project_id=credential.project_id,
        **values,
    )
    await events.publish(
        session,
        stream=events.project_stream(credential.project_id),
        kind="credential.changed",
        data={"entity_id": str(credential.id)},
    )
