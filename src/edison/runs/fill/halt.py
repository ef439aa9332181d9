"""Pauses a run or halts variants while filling: an exhausted budget, a refused key."""

from collections.abc import Mapping
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.db import wakeups
from edison.db.session import Database
from edison.pipeline.generate.outcome import CallFailed
from edison.runs.fill.work import Column, Work
from edison.runs.store.repository import Runs
from edison.runs.store.states import RunState
from edison.runs.store.transitions import BUDGET, announce, control_topic, move, progress_topic
from edison.workspace.budgets import service as budgets
from edison.workspace.budgets.errors import BudgetExhausted
from edison.workspace.credentials import service as credentials


class Halting:
    def __init__(self, database: Database, work: Work) -> None:
        self._database = database
        self._work = work
        self._by_credential: dict[UUID, Mapping[str, str]] = {}

    def reason_for(self, column: Column) -> Mapping[str, str] | None:
        """Why the variant's cells fail without a call."""
        if column.halted is not None:
            return column.halted
        if column.model is None or not self._by_credential:
            return None
        return self._by_credential.get(column.model.credential.id)

    async def pause(self, reason: str, message: str) -> None:
        """Pauses the run until a user resumes it."""
        async with self._database.write() as session:
            await self._pause(session, reason, message)

    async def pause_for(self, exhausted: BudgetExhausted) -> bool:
        """Pauses the run. False if the budget has money again; the caller then retries."""
        async with self._database.write() as session:
            is_short = await budgets.is_still_short(session, exhausted)
            if is_short:
                await self._pause(session, BUDGET, exhausted.message)
            return is_short

    async def _pause(self, session: AsyncSession, reason: str, message: str) -> None:
        run = await Runs(session).lock(self._work.run.id)
        if run is None:
            return
        moved = await move(session, run, RunState.PAUSED, reason=reason, message=message)
        if moved is not None:
            await announce(session, moved)

    async def halt(self, column: Column, failure: CallFailed) -> None:
        """Fails the remaining cells of all variants with this credential; others continue."""
        if column.model is None or column.model.credential.id in self._by_credential:
            return
        credential = column.model.credential
        service = credentials.service_of(credential)
        why = {
            "reason": failure.reason.value,
            "message": f"{service} refused the key. {failure.message}",
        }
        self._by_credential[credential.id] = why
        positions = [
            each.position
            for each in self._work.columns
            if each.model is not None and each.model.credential.id == credential.id
        ]
        async with self._database.write() as session:
            runs = Runs(session)
            if await runs.halt_variants(self._work.run.id, positions, why):
                await runs.change(self._work.run.id, {})
                wakeups.topic_changed(session, progress_topic(self._work.run.id))
                wakeups.topic_changed(session, control_topic(self._work.run.id))
