"""Stores the drafts of batches: drops exact copies and marks near copies."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any
from uuid import UUID

from edison.kit import clock, ids
from edison.kit.lazy_dataclasses import dataclass
from edison.library.datasets import service as datasets
from edison.library.generation.author import BatchAnswer
from edison.library.generation.claims import Lease, LeaseLost
from edison.library.generation.events import publish
from edison.library.generation.lookalikes import IndexedText, NearDuplicateIndex
from edison.library.generation.models import GenerationBatch, GenerationDraft
from edison.library.generation.plan import GenerationPlan
from edison.library.generation.progress import Yield
from edison.library.generation.repository.drafts import Drafts
from edison.library.generation.repository.generations import Generations
from edison.library.generation.shape import ShapedDraft, shape

MOST_COMPARED = 20_000
# Greater than the number of drafts in any batch.
POSITIONS_PER_BATCH = 100
TELL_EVERY_SECONDS = 0.1


@dataclass(slots=True, kw_only=True)
class DraftStore:
    """Stores one batch at a time; not for concurrent use."""

    claim: Lease
    plan: GenerationPlan
    lookalikes: NearDuplicateIndex
    yields: dict[int, Yield]
    drafts: int
    told_at: float = 0.0

    @classmethod
    async def open(cls, claim: Lease, plan: GenerationPlan, dataset_id: UUID) -> "DraftStore":
        """Loads the dataset's cases and the drafts of an earlier process for comparison."""
        async with claim.database.read() as session:
            cases = await Generations(session).list_known_cases(dataset_id, limit=MOST_COMPARED)
            drafts = await Drafts(session, claim.generation_id).list_all()
            yields = await Drafts(session, claim.generation_id).yields()
        lookalikes = await asyncio.to_thread(_index, cases, drafts)
        return cls(
            claim=claim, plan=plan, lookalikes=lookalikes, yields=dict(yields), drafts=len(drafts)
        )

    async def keep(self, answer: BatchAnswer) -> None:
        """Raises LeaseLost when this process no longer holds the lease."""
        drafts, lost = self._sort(answer)
        batch = GenerationBatch(
            generation_id=self.claim.generation_id,
            number=answer.number,
            was_repaired=answer.was_repaired,
            created_at=clock.now(),
            **asdict(lost),
        )
        async with self.claim.database.write() as session:
            kept = await Generations(session).record(
                self.claim.generation_id,
                worker=self.claim.worker,
                batch=batch,
                drafts=drafts,
                cost_nanos=answer.cost_nanos,
            )
            if kept is None:
                raise LeaseLost
            if time.monotonic() - self.told_at >= TELL_EVERY_SECONDS:
                self.told_at = time.monotonic()
                await publish(session, kept)
        self.yields[answer.number] = lost
        self.drafts += len(drafts)

    def _sort(self, answer: BatchAnswer) -> tuple[Sequence[GenerationDraft], Yield]:
        drafts: list[GenerationDraft] = []
        refused = repeated = 0
        for row in answer.parsed.rows:
            shaped = shape(row, self.plan)
            if not isinstance(shaped, ShapedDraft):
                refused += 1
            elif self.lookalikes.has(shaped.input_hash):
                repeated += 1
            elif self.drafts + len(drafts) < self.plan.count:
                drafts.append(self._draft(shaped, answer.number, len(drafts)))
        given = len(answer.parsed.rows) + answer.parsed.malformed
        return drafts, Yield(
            drafts=len(drafts),
            malformed=answer.parsed.malformed,
            refused=refused,
            repeated=repeated,
            short=max(0, self.plan.size_of(answer.number) - given),
        )

    def _draft(self, shaped: ShapedDraft, batch: int, index: int) -> GenerationDraft:
        near = self.lookalikes.find(shaped.words)
        draft = GenerationDraft(
            id=ids.new_id(),
            generation_id=self.claim.generation_id,
            position=batch * POSITIONS_PER_BATCH + index,
            batch=batch,
            inputs=shaped.case.inputs,
            expected=shaped.case.expected,
            tags=shaped.case.tags,
            difficulty=shaped.case.difficulty,
            input_hash=shaped.input_hash,
            similarity=None if near is None else round(near.similarity, 3),
            near_case_id=None if near is None else near.case_id,
            near_draft_id=None if near is None else near.draft_id,
        )
        self.lookalikes.add(
            IndexedText(input_hash=shaped.input_hash, words=shaped.words, draft_id=draft.id)
        )
        return draft


def _index(
    cases: Sequence[tuple[UUID, str, dict[str, Any]]], drafts: Sequence[GenerationDraft]
) -> NearDuplicateIndex:
    words_of = datasets.words_of_inputs
    known = [
        IndexedText(input_hash=input_hash, words=words_of(inputs), case_id=case_id)
        for case_id, input_hash, inputs in cases
    ]
    known += [
        IndexedText(input_hash=draft.input_hash, words=words_of(draft.inputs), draft_id=draft.id)
        for draft in drafts
    ]
    return NearDuplicateIndex(known, threshold=datasets.NEAR_THRESHOLD)
