"""Answers that a program records with the SDK."""

import asyncio

from edison import sdk
from tests.slices.abtests.trial import GOOD, Trial
from tests.support.server import serving


async def test_answers_are_recorded_in_parts_and_once(trial: Trial) -> None:
    test = await trial.start(dataset_id=None, pairs=1000)
    editor, project = trial.dataset.editor, trial.dataset.project
    made = await editor.post("/api/v1/auth/tokens", json={"name": "s", "scope": "write"})
    answers = [
        # Differences of 1 and -1 in turn decide nothing.
        sdk.Answer(arm=arm, answer=GOOD, inputs={"n": at}, score=(at + way) % 2, id=f"{arm}{at}")
        for at in range(60)
        for way, arm in enumerate(("first", "second"))
    ]
    async with serving(trial.app) as url:
        client = sdk.Client(url, token=made.json()["token"], project=project.slug)
        for expected in (120, 0):
            found = await asyncio.to_thread(
                sdk.log_answers, test["id"], iter(answers), client=client
            )
            assert found == expected
