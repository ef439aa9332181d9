"""BLEU, for translations and other texts whose wording matters."""

from functools import cache
from typing import TYPE_CHECKING, ClassVar

from edison.pipeline.score.long_text import check_length
from edison.pipeline.score.scorer import Scored, Scorer, ScorerGroup, Subject, Tools

if TYPE_CHECKING:
    from sacrebleu.metrics.bleu import BLEU


class Bleu(Scorer):
    """Sentence BLEU / 100 as computed by sacreBLEU: `13a` tokens, exponential smoothing, n-grams up
    to 4 words or as long as the answer allows. Case sensitive. An empty text gives 0. Texts of more
    than 50,000 characters are not compared.
    """

    title: ClassVar[str] = "BLEU"
    description: ClassVar[str] = "Shared runs of words with the expected answer."
    group: ClassVar[ScorerGroup] = ScorerGroup.EXPECTED
    example: ClassVar[str] = (
        "The expected sentence gives 1; the same words in another order give less."
    )
    needs_expected: ClassVar[bool] = True

    async def score(self, subject: Subject, tools: Tools) -> Scored:
        expected = subject.need_expected()
        check_length(subject.answer, expected)
        found = _metric().sentence_score(subject.answer, [expected])
        return Scored(
            # A perfect match can exceed 100 by a rounding error.
            value=min(1.0, max(0.0, found.score / 100)),
            raw=f"{found.score:.2f}",
            rationale=f"BLEU {found.score:.1f}.",
        )


@cache
def _metric() -> "BLEU":
    from sacrebleu.metrics.bleu import BLEU

    return BLEU(effective_order=True)
