"""The playground's grid: rows, the effective grade, and its source."""

from typing import Any

from tests.slices.playground.conftest import Playground, answering

LONG = "On its way. " * 20


def grades(cells: list[dict[str, Any]]) -> list[dict[str, Any] | None]:
    return [cell["grade"] for cell in cells]


async def test_a_grade_comes_from_scorers_the_grader_or_human_scores(
    playground: Playground,
) -> None:
    desk = playground.desk
    contains = {"kind": "contains", "options": {"phrases": ["way"]}, "weight": 3}
    ruled = await playground.run(cases={"limit": 1}, scorers=[contains])
    assert grades(await desk.cells(ruled["id"])) == [{"value": 1.0, "by": "scorer"}]

    body = playground.graded(cases={"limit": 2}, scorers=[contains])
    run = await desk.finish((await playground.post("/runs", body)).json()["id"])
    cells = await desk.cells(run["id"])
    # A fair answer, and three perfect ones.
    assert grades(cells) == [{"value": 0.875, "by": "grader"}] * 2

    url = f"{desk.project_url}/outputs/{cells[0]['id']}/scores"
    for answer in (1, 0, 1):
        thumb = {"question": "thumbs", "answer": answer, "about": cells[0]["number"]}
        assert (await desk.dataset.editor.put(url, json=thumb)).status_code == 200
        shown = await desk.cells(run["id"])
        assert grades(shown) == [
            {"value": float(answer), "by": "human"},
            {"value": 0.875, "by": "grader"},
        ]
        summary = (await desk.get(f"/runs/{run['id']}"))["variants"][0]["summary"]
        assert summary["score"] == (answer + 0.875) / 2
    assert (await desk.dataset.editor.delete(url)).status_code == 200
    assert grades(await desk.cells(run["id"])) == [{"value": 0.875, "by": "grader"}] * 2
    nothing = await playground.run(cases={"limit": 1})
    assert grades(await desk.cells(nothing["id"])) == [None]


async def test_a_malformed_answer_scores_zero_without_a_grader(
    playground: Playground,
) -> None:
    desk = playground.desk
    draft = {"version": 1, "text": "Answer {{question}} inside a <response> tag."}
    saved = await desk.dataset.editor.put(
        f"{desk.project_url}/prompts/{desk.prompt.id}/draft", json=draft
    )
    assert saved.status_code == 200, saved.text
    desk.server.choose = answering(
        lambda asked: "On its way." if "number 1" in asked else "<response>Here.</response>"
    )
    run = await playground.run(cases={"limit": 3})

    async def summed_up() -> list[float | None]:
        results = (await desk.get(f"/runs/{run['id']}/summary"))["variants"][0]
        assert results["malformed"] == 1
        summary = (await desk.get(f"/runs/{run['id']}"))["variants"][0]["summary"]
        return [results["composite"]["value"], summary["score"]]

    cells = await desk.cells(run["id"])
    assert [cell["status"] for cell in cells] == ["ok", "malformed", "ok"]
    assert grades(cells) == [None, {"value": 0.0, "by": "rule"}, None]
    assert await summed_up() == [0.0, 0.0]

    # Human scores take precedence, and are shown beside it.
    for cell in cells[:2]:
        url = f"{desk.project_url}/outputs/{cell['id']}/scores"
        thumb = {"question": "thumbs", "answer": 1, "about": cell["number"]}
        assert (await desk.dataset.editor.put(url, json=thumb)).status_code == 200
        expected = [0.5, 0.5] if cell is cells[0] else [1.0, 1.0]
        assert await summed_up() == expected
    human = {"value": 1.0, "by": "human"}
    assert grades(await desk.cells(run["id"])) == [human, human, None]


async def test_a_rerun_cell_loses_its_thumb_and_bypasses_the_cache(
    playground: Playground,
) -> None:
    desk = playground.desk
    run = await playground.run(cases={"limit": 1})
    (cell,) = await desk.cells(run["id"])
    url = f"{desk.project_url}/outputs/{cell['id']}/scores"
    await desk.dataset.editor.put(url, json={"question": "thumbs", "answer": 1})
    asked = len(desk.server.received)

    assert (await desk.post(f"/outputs/{cell['id']}/rerun")).status_code == 200
    await desk.finish(run["id"])

    (again,) = await desk.cells(run["id"])
    assert len(desk.server.received) == asked + 1
    assert (again["id"], again["is_cached"], again["grade"]) == (cell["id"], False, None)
    assert again["number"] > cell["number"]


async def test_rows_are_found_by_grade_and_long_answers_are_cut(playground: Playground) -> None:
    desk = playground.desk

    def say(asked: str) -> str:
        if "Grade" in asked:
            return "1" if "number 2" in asked else "0.25"
        return LONG if "number 2" in asked else "Lost."

    desk.server.choose = answering(say)
    body = playground.graded(cases={"limit": 3})
    run = await desk.finish((await playground.post("/runs", body)).json()["id"])

    async def found(**query: Any) -> list[int]:
        return [row["position"] for row in await desk.rows(run["id"], **query)]

    assert await found(min_score=0.5) == [2]
    assert await found(max_score=0.25) == [0, 1]
    assert await found(min_score=0.2, max_score=0.3, q="number 1") == [1]
    assert await found(min_score=0.3, max_score=0.9) == []
    assert await found(q="lost") == [0, 1]
    cells = await desk.cells(run["id"])
    assert [cell["is_truncated"] for cell in cells] == [False, False, True]
    assert cells[2]["preview"] == LONG[:200]


async def test_rows_are_sorted_by_the_results_of_one_column(playground: Playground) -> None:
    desk = playground.desk
    worth = {"number 0": "0.5", "number 1": "1", "number 2": "0"}

    def say(asked: str) -> str:
        if "Grade" in asked:
            return next(grade for mark, grade in worth.items() if mark in asked)
        return "word " * (1 + int(asked.rstrip("?").split()[-1]))

    desk.server.choose = answering(say)
    body = playground.graded(cases={"limit": 3})
    run = await desk.finish((await playground.post("/runs", body)).json()["id"])

    async def ordered(**query: Any) -> list[int]:
        return [row["position"] for row in await desk.rows(run["id"], **query)]

    assert await ordered(sort="grade.0") == [2, 0, 1]
    assert await ordered(sort="-grade.0") == [1, 0, 2]
    assert await ordered(sort="-grade.0", min_score=0.5) == [1, 0]
    # A metric that no row has leaves the order unchanged.
    assert await ordered(sort="-cost.7") == [0, 1, 2]
    path = f"/runs/{run['id']}/rows"
    page = await desk.get(path, sort="-grade.0", limit=2)
    assert (page["next"], page["total"]) == (0, 3)
    rest = await desk.get(path, sort="-grade.0", limit=2, after=page["next"])
    assert ([row["position"] for row in rest["items"]], rest["next"]) == ([2], None)
    for unknown in ("grade", "name.0", "grade.x"):
        response = await desk.dataset.editor.get(
            f"{desk.project_url}{path}", params={"sort": unknown}
        )
        assert response.status_code == 400
