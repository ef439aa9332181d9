"""Tools that read runs and their results, and compare runs."""

from typing import Annotated, Any, Literal

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

from edison.mcp.api import Json, ProjectApi, is_id
from edison.mcp.arguments import Cursor, Limit, Project, RunId, Search
from edison.mcp.callers import Callers
from edison.mcp.library_tools import listed, pick

_RUN = (
    "id", "name", "origin", "state", "message", "dataset_name", "case_count", "variant_count",
    "cell_count", "done_count", "error_count", "cost_usd", "is_simulated", "score", "created_at",
    "ended_at",
)  # fmt: skip
_VARIANT = (
    "position", "label", "composite", "pass_rate", "failed", "missing", "answer_cost_usd",
    "judge_cost_usd", "latency_p50_seconds", "latency_p95_seconds",
)  # fmt: skip
_VERDICT = (
    "baseline", "other", "verdict", "baseline_mean", "other_mean", "difference",
    "adjusted_p_value", "minimum_detectable_effect", "cases_needed", "improved", "regressed",
    "unchanged", "caveat",
)  # fmt: skip
_CELL = ("id", "variant_position", "repeat", "status", "error", "preview", "is_truncated")
_ANSWER = ("id", "run_id", "case_position", "variant_position", "status", "error", "message")
_SCORE = ("scorer", "value", "is_passed", "rationale", "flag")
State = Literal[
    "pending", "executing", "scoring", "aggregating", "completed", "paused", "cancelled", "failed"
]


class RunTools:
    def __init__(self, callers: Callers) -> None:
        self._callers = callers

    async def list_runs(
        self,
        context: Context[Any, Any],
        search: Search = None,
        state: Annotated[State | None, Field(description="Only runs in this state.")] = None,
        cursor: Cursor = None,
        limit: Limit = 20,
        project: Project = None,
    ) -> Json:
        """List the runs of a project, latest first. A run is prompts by models by cases."""
        home = await self._callers.project_of(context, project)
        page = await home.get("/runs", q=search, state=state, cursor=cursor, limit=limit)
        return listed("runs", page, [pick(each, _RUN) for each in page["items"]])

    async def get_run(
        self, context: Context[Any, Any], run: RunId, project: Project = None
    ) -> Json:
        """Read a run: its state, and per variant the mean score with its 95 % interval, pass rate,
        cost and latency, with the paired comparisons between variants.
        """
        home = await self._callers.project_of(context, project)
        return await describe_run(home, run)

    async def list_results(
        self,
        context: Context[Any, Any],
        run: RunId,
        max_score: Annotated[
            float | None,
            Field(ge=0, le=1, description="Only cases with an answer that scores at most this."),
        ] = None,
        status: Annotated[
            Literal["ok", "error", "malformed"] | None,
            Field(description="Only cases with such an answer."),
        ] = None,
        search: Search = None,
        after: Annotated[int, Field(ge=-1, description="`next` of the previous page.")] = -1,
        limit: Limit = 20,
        project: Project = None,
    ) -> Json:
        """List the cases of a run with the beginning of each answer and its score, 0 to 1."""
        home = await self._callers.project_of(context, project)
        page = await home.get(
            f"/runs/{_checked(run)}/rows",
            max_score=max_score,
            status=status,
            q=search,
            after=after,
            limit=limit,
        )
        names = ("position", "inputs", "expected", "tags")
        cases = [
            pick(row, names) | {"answers": [_cell(each) for each in row["cells"]]}
            for row in page["items"]
        ]
        return listed("cases", page, cases)

    async def get_result(
        self,
        context: Context[Any, Any],
        answer: Annotated[str, Field(description="Id of the answer, from list_results.")],
        project: Project = None,
    ) -> Json:
        """Read one answer in full, with its scores and the reasons of graders."""
        home = await self._callers.project_of(context, project)
        found = await home.get(f"/outputs/{_checked(answer)}")
        scores = [pick(each, _SCORE) for each in found["details"]]
        return pick(found, (*_ANSWER, "text", "parsed", "finish_reason")) | {"scores": scores}

    async def compare_runs(
        self,
        context: Context[Any, Any],
        baseline: Annotated[str, Field(description="Id of the run to compare with.")],
        run: RunId,
        project: Project = None,
    ) -> Json:
        """Compare a run with a baseline by paired tests on the cases that both have. The verdict
        is `better` or `worse` only if the corrected interval excludes zero; otherwise
        `cases_needed` says how many cases could tell.
        """
        home = await self._callers.project_of(context, project)
        found = await home.get(f"/runs/{_checked(baseline)}/compare/{_checked(run)}")
        kept = pick(
            found, ("baseline", "other", "shared_cases", "only_in_baseline", "only_in_other")
        )
        return kept | {"comparisons": [pick(each, _VERDICT) for each in found["comparisons"]]}


async def describe_run(home: ProjectApi, run: str) -> Json:
    found = await home.get(f"/runs/{_checked(run)}")
    results = await home.get(f"/runs/{run}/summary")
    return pick(found, _RUN) | {
        "is_complete": results["is_complete"],
        "best_variant": results["best"],
        "variants": [pick(each, _VARIANT) for each in results["variants"]],
        "comparisons": [pick(each, _VERDICT) for each in results["comparisons"]],
    }


def _cell(found: Json) -> Json:
    grade = found["grade"]
    return pick(found, _CELL) | {"score": None if grade is None else grade["value"]}


def _checked(given: str) -> str:
    if not is_id(given):
        raise ToolError(f"“{given}” is not an id.")
    return given
