"""The summary of a run does not depend on the order in which its answers arrive."""

from itertools import permutations

from edison.runs.store.effective_scores import VariantScore, overall, score_fields


def test_the_mean_is_the_same_in_any_order() -> None:
    scores = [0.1, 0.7, 0.9, 0.3, 0.6, 0.8]
    means = {sum(order) / len(order) for order in permutations(scores)}
    assert len(means) > 1, "these scores are chosen so that the order matters to a float"

    stored = {
        score_fields(VariantScore(mean=mean, count=6, human_count=0))["score"] for mean in means
    }

    assert stored == {0.566666666667}
    assert overall([{"score": mean} for mean in sorted(means)]) == {"score": 0.566666666667}
