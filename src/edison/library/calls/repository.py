"""Queries of the answer cache and of credentials' slots."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from operator import itemgetter
from typing import cast
from uuid import UUID

import orjson
from sqlalchemy import Dialect, Executable, Table, bindparam, delete, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from edison.db import upsert
from edison.db.membership import is_among, is_one_of
from edison.db.prepared import Columns, Prepared
from edison.kit.fast_frozen import fast_frozen
from edison.kit.grouped import grouped
from edison.kit.lazy_dataclasses import dataclass
from edison.library.calls.fair_share import NOTHING, SlotClaim
from edison.library.calls.models import CachedAnswer, LaneShare
from edison.library.models.models import Model
from edison.pipeline.generate.call_limits import CallLimits
from edison.pipeline.generate.outcome import Completion
from edison.workspace.credentials.models import Credential

# Project id and cache key.
AnswerKey = tuple[UUID, str]

_TABLE = cast(Table, CachedAnswer.__table__)


def _keep(dialect: Dialect) -> Executable:
    new = upsert.insert_for(dialect, _TABLE)
    return new.on_conflict_do_update(
        index_elements=["project_id", "key"],
        set_={name: new.excluded[name] for name in ("completion", "created_at", "expires_at")},
    )


_KEEP = Prepared(_keep, columns=[column.name for column in _TABLE.c])
_KEPT = Prepared(
    lambda dialect: select(_TABLE.c.project_id, _TABLE.c.key, _TABLE.c.completion).where(
        is_among(dialect, _TABLE.c.project_id, "project_ids"),
        is_among(dialect, _TABLE.c.key, "keys"),
        or_(_TABLE.c.expires_at.is_(None), _TABLE.c.expires_at > bindparam("now")),
    )
)


@fast_frozen
@dataclass(frozen=True, slots=True, kw_only=True)
class NewCachedAnswer:
    project_id: UUID
    key: str
    completion: Completion
    created_at: datetime
    expires_at: datetime | None


class CachedAnswers:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def find(
        self, wanted: Collection[AnswerKey], *, now: datetime
    ) -> Mapping[AnswerKey, Completion]:
        """Unexpired answers."""
        found = await _KEPT.fetch(
            self._session,
            project_ids=grouped(wanted, itemgetter(0)).keys(),
            keys={key for _, key in wanted},
            now=now,
        )
        return {
            (project_id, key): Completion.restored(json.loads(completion))
            for project_id, key, completion in found
        }

    async def find_keys(self, wanted: Collection[AnswerKey], *, now: datetime) -> set[AnswerKey]:
        """Keys of unexpired answers."""
        is_fresh = or_(CachedAnswer.expires_at.is_(None), CachedAnswer.expires_at > now)
        found = await self._session.execute(
            select(CachedAnswer.project_id, CachedAnswer.key).where(
                is_one_of(self._session, CachedAnswer.project_id, {each for each, _ in wanted}),
                is_one_of(self._session, CachedAnswer.key, {key for _, key in wanted}),
                is_fresh,
            )
        )
        return {(project_id, key) for project_id, key in found}

    async def save(self, answers: Sequence[NewCachedAnswer]) -> None:
        """On conflict the later answer wins."""
        rows: Columns = {
            "project_id": [answer.project_id for answer in answers],
            "key": [answer.key for answer in answers],
            "completion": [_written(answer.completion) for answer in answers],
            "created_at": [answer.created_at for answer in answers],
            "expires_at": [answer.expires_at for answer in answers],
        }
        await _KEEP.insert(self._session, rows)

    async def forget_expired(self, now: datetime) -> None:
        await self._session.execute(delete(CachedAnswer).where(CachedAnswer.expires_at <= now))


def _written(completion: Completion) -> str:
    try:
        return orjson.dumps(completion).decode()
    except TypeError:  # orjson refuses lone surrogates, `json` escapes them
        return json.dumps(asdict(completion))


class LaneShares:
    def __init__(self, session: AsyncSession, lane_id: UUID, *, is_model: bool = False) -> None:
        self._session = session
        self._lane_id = lane_id
        self._owner: type[Credential] | type[Model] = Model if is_model else Credential

    async def lock(self) -> CallLimits | None:
        """Lock the credential or model, so no other process changes its shares until the
        transaction ends. Returns its limits; None when it was deleted.
        """
        found = await self._session.scalar(
            select(self._owner.limits)
            .where(self._owner.id == self._lane_id)
            # FOR NO KEY UPDATE: does not block foreign keys that reference the row.
            .with_for_update(key_share=True)
        )
        return None if found is None else CallLimits.stored(found)

    async def list_claims(self) -> Mapping[UUID, SlotClaim]:
        found = await self._session.execute(
            select(LaneShare.process_id, LaneShare.slots, LaneShare.wanted, LaneShare.turn).where(
                LaneShare.lane_id == self._lane_id
            )
        )
        return {
            process_id: SlotClaim(slots=slots, wanted=wanted, turn=turn)
            for process_id, slots, wanted, turn in found
        }

    async def save(self, process_id: UUID, claim: SlotClaim) -> None:
        """Raises IntegrityError when the process's row was removed. An empty claim deletes
        the row.
        """
        if claim == NOTHING:
            await self._remove(process_id)
            return
        new = {"slots": claim.slots, "wanted": claim.wanted, "turn": claim.turn}
        statement = upsert.insert(self._session, LaneShare).values(
            lane_id=self._lane_id, process_id=process_id, **new
        )
        await self._session.execute(
            statement.on_conflict_do_update(index_elements=["lane_id", "process_id"], set_=new)
        )

    async def _remove(self, process_id: UUID) -> None:
        await self._session.execute(
            delete(LaneShare).where(
                LaneShare.lane_id == self._lane_id,
                LaneShare.process_id == process_id,
            )
        )
