"""Semantic similarity of the answer and the expected answer, by word vectors."""

import asyncio
from importlib.util import find_spec
from typing import ClassVar

from edison.pipeline.score.long_text import check_length
from edison.pipeline.score.scorer import (
    CostClass,
    Flag,
    NotApplicable,
    Scored,
    Scorer,
    ScorerGroup,
    Subject,
    Tools,
)

EXTRA = "wordllama"
EXTRA_MISSING = (
    "Embeddings are not installed here. Install them with: "
    'pip install "edison-workbench[embeddings]"'
)


class EmbeddingSimilarity(Scorer):
    """Cosine similarity of the answer and the expected answer; negative values count as 0.

    A text's vector is the mean of its tokens' vectors (WordLlama, 256 dimensions). The vectors come
    with the extra `embeddings` and are computed on this machine; nothing is sent anywhere. Equal
    texts give 1, and a text without any token gives 0. Texts of more than 50,000 characters are not
    compared.
    """

    title: ClassVar[str] = "Embedding similarity"
    description: ClassVar[str] = "How near in meaning the answer is to the expected one."
    group: ClassVar[ScorerGroup] = ScorerGroup.EXPECTED
    example: ClassVar[str] = (
        "Expected “The parcel is late.”: “The package has not arrived yet.” gives 0.39."
    )
    cost_class: ClassVar[CostClass] = CostClass.LOCAL_MODEL
    needs_expected: ClassVar[bool] = True

    @classmethod
    def find_obstacle(cls) -> str | None:
        return None if find_spec(EXTRA) is not None else EXTRA_MISSING

    async def score(self, subject: Subject, tools: Tools) -> Scored:
        answer, expected = subject.answer.strip(), subject.need_expected().strip()
        if answer == expected:
            return Scored(value=1.0, rationale="Equals the expected answer.")
        if (obstacle := self.find_obstacle()) is not None:
            # The worker may run on a different machine than the one the run was planned on.
            raise NotApplicable(Flag.EXTRA_MISSING, obstacle)
        check_length(answer, expected)
        return await asyncio.to_thread(_compare, answer, expected)


def _compare(answer: str, expected: str) -> Scored:
    from edison.pipeline.score.static_vectors import cosine, load_vectors

    vectors = load_vectors()
    first, second = (vectors.embed(_sound(text)) for text in (answer, expected))
    if first is None or second is None:
        return Scored(value=0.0, rationale="One of the texts is empty.")
    similarity = cosine(first, second)
    return Scored(value=min(1.0, max(0.0, similarity)), rationale=f"Cosine {similarity:.3f}.")


def _sound(text: str) -> str:
    """Tokenizers reject lone surrogates."""
    return text.encode("utf-8", "replace").decode()
