"""Versions from accepted suggestions: the base version with other parts."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.library.prompts.checks import check_runnable
from edison.library.prompts.content import digest_of, parts_of, template_of
from edison.library.prompts.errors import BaseChanged
from edison.library.prompts.lineage import Provenance, add_version
from edison.library.prompts.models import Prompt, PromptDraft, PromptVersion
from edison.library.prompts.repository import Prompts, Versions
from edison.workspace.resources.errors import Unchanged


async def add_suggested(
    session: AsyncSession,
    prompt: Prompt,
    *,
    base_id: UUID,
    changed: Mapping[str, Any],
    provenance: Provenance,
    may_branch: bool,
) -> PromptVersion:
    """Call it while the prompt is locked. A draft equal to the base is updated to the new version;
    a changed draft is kept. Raises BaseChanged when there are newer versions than the base, unless
    `may_branch`; Unchanged; or Invalid when it cannot be run.
    """
    prompts, versions = Prompts(session), Versions(session)
    base = await versions.get(prompt.id, base_id)
    latest = await versions.find_latest(prompt.id)
    if latest is not None and latest.id != base.id and not may_branch:
        raise BaseChanged(base=base.label, latest=latest.label, latest_id=latest.id)
    parts = PromptDraft(**parts_of(base) | dict(changed))
    check_runnable(template_of(parts))
    if digest_of(parts) == base.digest:
        raise Unchanged(base.label)
    draft = await prompts.get_draft(prompt.id)
    version = await add_version(session, prompt, parts, parent_id=base.id, provenance=provenance)
    if digest_of(draft) == base.digest:
        values = {**changed, "parent_id": version.id}
        await prompts.save_draft(prompt.id, version=draft.version, values=values)
    await prompts.touch(prompt)
    return version
