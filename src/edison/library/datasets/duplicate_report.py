"""Duplicates in a dataset: exact copies by hash, near copies by comparison."""

import asyncio
from collections import defaultdict
from uuid import UUID

from edison.db.session import Database
from edison.library.datasets.duplicates import group_near, words_of
from edison.library.datasets.repository.cases import Cases
from edison.library.datasets.repository.datasets import Datasets
from edison.library.datasets.schemas.datasets import (
    DuplicateGroupRead,
    DuplicateRead,
    DuplicatesRead,
)

MOST_COMPARED = 20_000
MOST_GROUPS = 200
# More text hardly changes the similarity.
LONGEST_COMPARED = 5_000


async def find_duplicates(
    database: Database, *, project_id: UUID, dataset_id: UUID, threshold: float
) -> DuplicatesRead:
    """Groups of identical and near-identical cases. Takes a `Database` instead of a session:
    comparing thousands of texts takes a while, during which no transaction may be open.
    """
    async with database.read() as session:
        await Datasets(session).get(project_id, dataset_id)
        copies = await Cases(session).list_copies(dataset_id)
        texts = await Cases(session).list_texts(
            dataset_id, limit=MOST_COMPARED, longest=LONGEST_COMPARED
        )
    exact: dict[str, list[DuplicateRead]] = defaultdict(list)
    for input_hash, case_id, position in copies:
        exact[input_hash].append(DuplicateRead(id=case_id, position=position, similarity=1.0))
    near = await asyncio.to_thread(_find_near, texts, threshold)
    groups = [DuplicateGroupRead(kind="exact", cases=cases) for cases in exact.values()] + near
    groups.sort(key=lambda group: group.cases[0].position)
    return DuplicatesRead(
        threshold=threshold,
        compared=len(texts),
        groups=groups[:MOST_GROUPS],
        more_groups=max(0, len(groups) - MOST_GROUPS),
    )


def _find_near(
    texts: list[tuple[UUID, int, str, str]], threshold: float
) -> list[DuplicateGroupRead]:
    """Only the first of several exact copies is compared; the others are in a group already."""
    seen: set[str] = set()
    compared = []
    for case_id, position, text, input_hash in texts:
        if input_hash not in seen:
            seen.add(input_hash)
            compared.append(((case_id, position), words_of(text)))
    return [
        DuplicateGroupRead(
            kind="near",
            cases=[
                DuplicateRead(id=case_id, position=position, similarity=round(similarity, 3))
                for (case_id, position), similarity in [(group.first, 1.0), *group.others]
            ],
        )
        for group in group_near(compared, threshold=threshold)
    ]
