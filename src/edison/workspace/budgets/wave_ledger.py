"""Reservations and charges of a wave of calls: many attempts, one item of the write batch."""

import asyncio
from collections.abc import Sequence
from functools import partial
from uuid import UUID

from edison.jobs.batch_writer import BatchWriter
from edison.jobs.write_group import WriteGroup
from edison.kit import ids
from edison.pipeline.generate.path.ports import AttemptCost, Intent, OnReserved, Reserved
from edison.workspace.budgets.ledger import UNUSED
from edison.workspace.budgets.ledger_batch import LEDGER, Charge, LedgerResult, Reply, Reserve
from edison.workspace.budgets.models import EntryState
from edison.workspace.budgets.repository.entries import EntrySnapshot, Payer
from edison.workspace.budgets.types import LedgerAccount


class ProjectWaveLedger:
    """A request may be sent when its reservation is committed: the entry records that it is, and
    this process owns it.
    """

    def __init__(self, batch_writer: BatchWriter, account: LedgerAccount) -> None:
        self._batch_writer = batch_writer
        self._account = account
        self._reserves: WriteGroup[Reserve, LedgerResult] = WriteGroup(batch_writer, LEDGER)
        self._charges: WriteGroup[Charge, LedgerResult] = WriteGroup(batch_writer, LEDGER)
        # Reserved entries, until they are charged, with the process that reserved them.
        self._open: dict[UUID, tuple[EntrySnapshot, UUID]] = {}
        self._confirming: set[asyncio.Task[None]] = set()

    def reserve(self, intent: Intent, on_reserved: OnReserved) -> UUID:
        """Returns the id of the new entry."""
        entry_id = ids.new_id()
        item = Reserve(
            entry_id=entry_id,
            process_id=self._batch_writer.heartbeat.id,
            account=self._account,
            intent=intent,
            made_at=self._reserves.now,
        )
        self._reserves.add(item, partial(self._written, on_reserved))
        return entry_id

    def confirm(self, entry_id: UUID, on_reserved: OnReserved) -> None:
        _, process_id = self._open[entry_id]
        self._pass_on([(entry_id, None)], process_id, on_reserved)

    def charge(self, entry_id: UUID, cost: AttemptCost) -> None:
        reserved, _ = self._open.pop(entry_id, (None, None))
        self._charges.add(
            Charge(entry_id=entry_id, cost=cost, made_at=self._charges.now, reserved=reserved)
        )

    def release(self, entry_id: UUID) -> None:
        self.charge(entry_id, UNUSED)

    def _written(
        self,
        on_reserved: OnReserved,
        reserves: Sequence[Reserve],
        written: "asyncio.Future[LedgerResult]",
    ) -> None:
        failure = written.exception()
        if failure is not None:
            on_reserved([(each.entry_id, failure) for each in reserves])
            return
        replies = written.result()
        if not isinstance(replies, list):
            raise TypeError("A list of reservations has a list of replies.")
        reserved = [
            (each.entry_id, self._note(each, reply))
            for each, reply in zip(reserves, replies, strict=True)
        ]
        self._pass_on(reserved, reserves[-1].process_id, on_reserved)

    def _pass_on(self, reserved: Reserved, process_id: UUID, on_reserved: OnReserved) -> None:
        heartbeat = self._batch_writer.heartbeat
        if heartbeat.is_certain and heartbeat.id == process_id:
            on_reserved(reserved)
            return
        confirming = asyncio.create_task(self._confirm(on_reserved, reserved, process_id))
        self._confirming.add(confirming)
        confirming.add_done_callback(self._confirming.discard)

    def _note(self, reserve: Reserve, reply: Reply) -> Exception | None:
        """Returns why the reservation was refused."""
        if not isinstance(reply, Payer):
            return reply
        entry = EntrySnapshot(
            state=EntryState.RESERVED,
            reserved_nanos=reserve.intent.worst_case_nanos or 0,
            cost_nanos=0,
            payer=reply,
        )
        self._open[reserve.entry_id] = entry, reserve.process_id
        return None

    async def _confirm(self, on_reserved: OnReserved, reserved: Reserved, process_id: UUID) -> None:
        """Another process may own the reservations by now."""
        try:
            await self._batch_writer.confirm(process_id)
        except Exception as failure:  # passed on: nothing may be sent
            for entry_id, refusal in reserved:
                if refusal is None:
                    self.release(entry_id)
            on_reserved([(entry_id, refusal or failure) for entry_id, refusal in reserved])
        else:
            on_reserved(reserved)
