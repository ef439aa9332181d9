"""Racing: stages, which candidates drop out, and how rarely the best one does."""

from dataclasses import replace
from uuid import uuid4

import numpy as np

from edison.pipeline.refine.elimination import eliminate, stages_of
from edison.pipeline.refine.optimizers.race import Race
from edison.pipeline.refine.suggestion import NoChange, SuggestedEdit
from tests.pipeline.refine.situations import make_situation
from tests.pipeline.score.scoring import ScriptedTools

REPLY = """<diff>
@@ -1,2 +1,2 @@
 You are an agent.
-Reply to the customer.
+Reply to the customer {}.
</diff>
<note>
It helps.
</note>"""


def test_stages_grow_up_to_all_cases() -> None:
    assert stages_of(100, (8, 20)) == (8, 20, 100)
    assert stages_of(20, (20, 8, 8)) == (8, 20)
    assert stages_of(5, (8, 20)) == (5,)
    assert Race(model_id=uuid4()).stages(50) == (8, 20, 50)


def test_a_candidate_that_is_shown_to_be_worse_drops_out() -> None:
    scores = {"base": np.full(20, 0.6), "bad": np.full(20, 0.1), "close": np.full(20, 0.58)}
    (dropped,) = eliminate(scores, entered=3)
    assert (dropped.candidate, dropped.rival, dropped.cases) == ("bad", "base", 20)
    assert round(dropped.difference, 6) == -0.5
    assert dropped.p_value <= dropped.alpha == 0.025


def test_eight_cases_drop_only_what_fails_throughout() -> None:
    scores = {"good": np.ones(8), "bad": np.zeros(8), "middling": np.full(8, 0.7)}
    assert [each.candidate for each in eliminate(scores, entered=3)] == ["bad"]


def test_only_shared_cases_count_and_equals_stay() -> None:
    gap = np.full(20, np.nan)
    assert eliminate({"a": np.ones(20), "b": gap}, entered=2) == ()
    assert eliminate({"a": np.ones(20), "b": np.ones(20)}, entered=2) == ()
    early = eliminate({"a": np.ones(20), "b": np.zeros(3)}, entered=2)
    assert early == ()


def test_the_best_candidate_is_rarely_dropped_although_it_is_looked_at_often() -> None:
    draw = np.random.default_rng(3)
    trials, lost = 150, 0
    for _ in range(trials):
        # All are equally good, so that each one is the best.
        scores = {str(name): (draw.random(24) < 0.5).astype(float) for name in range(5)}
        looks = (eliminate({k: v[:n] for k, v in scores.items()}, entered=5) for n in (8, 16, 24))
        lost += any(each.candidate == "0" for found in looks for each in found)
    assert lost / trials <= 0.05


async def test_all_candidates_enter_in_the_first_generation() -> None:
    given = replace(make_situation(), iteration=1)
    tools = ScriptedTools([REPLY.format(word) for word in ("kindly", "briefly", "kindly")])
    found = await Race(model_id=uuid4(), candidates=3).propose(given, tools)
    texts = [each.prompt.text.split("\n")[1] for each in found if isinstance(each, SuggestedEdit)]
    # Equal edits count once; the rubric takes part.
    assert texts[:2] == ["Reply to the customer kindly.", "Reply to the customer briefly."]
    assert [each.origin for each in found if isinstance(each, SuggestedEdit)][-1] == "rubric"
    assert len({asked[2].seed for asked in tools.asked}) == 3
    (over,) = await Race(model_id=uuid4()).propose(replace(given, iteration=2), ScriptedTools())
    assert isinstance(over, NoChange)
