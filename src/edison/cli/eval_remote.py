"""Evaluations on another machine: the configuration is read here, a server runs it."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from uuid import UUID

from edison.cli.eval_engine import EvalPaused, renders_json
from edison.cli.eval_progress import Progress
from edison.evals.errors import ConfigError
from edison.kit.errors import Exhausted
from edison.kit.lazy_dataclasses import dataclass

if TYPE_CHECKING:
    from edison.evals.baseline import EarlierEvaluation
    from edison.evals.cells import CellGroup
    from edison.evals.evaluations import EvalTerms
    from edison.evals.plan import EvalPlan
    from edison.evals.results import EvalResults, RowResult
    from edison.sdk.client import Client

_SHORTEST_LOOK, _LONGEST_LOOK = 0.1, 2.0
_PAYMENT_REQUIRED = 402
_BUDGET = "budget"


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoteEngine:
    """Has a server evaluate plans. `env` are the variables that configurations may name."""

    client: "Client"
    env: Mapping[str, str]

    async def evaluate(
        self, plan: "EvalPlan", *, terms: "EvalTerms", progress: Progress | None = None
    ) -> "EvalResults":
        """Raises ConfigError, Exhausted when not even the first calls can be paid, or
        EvalPaused when it is cancelled.
        """
        from edison.evals.cells import group_cells
        from edison.evals.wire import plan_document
        from edison.kit import clock
        from edison.pipeline.score.assertions.trusted import PythonProcess

        begun = clock.now()
        env = {**self.env, **plan.env}
        groups = await group_cells(plan, python=PythonProcess(), renders_json=renders_json(env))
        body = plan_document(plan, groups, env)
        body["tags"] |= terms.tags
        body |= {
            "max_cost_usd": None if terms.max_cost_usd is None else f"{terms.max_cost_usd:f}",
            "resumes": terms.resumes,
            "retries_errors": terms.retries_errors,
            "evaluation_id": _id(terms.evaluation),
        }
        # The server may have the runs before its answer is here, so the answer is waited for.
        starting = asyncio.ensure_future(self._request("POST", "/evaluations/plans", body=body))
        try:
            started = await asyncio.shield(starting)
            ended = await self._wait(started["id"], progress)
        except asyncio.CancelledError:
            raise await self._pause(await starting) from None
        seconds = (clock.now() - begun).total_seconds()
        return await self._results(plan, groups, ended, seconds)

    async def read_baseline(self, given: str) -> "EarlierEvaluation":
        """An evaluation on the server. Raises ConfigError."""
        from edison.evals.baseline import read_measured

        found = await self._request("GET", f"/evaluations/{_id(given)}/baseline")
        return read_measured(f"evaluation {given}", found["rows"])

    async def _wait(self, evaluation_id: str, progress: Progress | None) -> dict[str, Any]:
        """The evaluation, when no run goes on by itself."""
        from edison.evals.waits import EvalWait

        pause = _SHORTEST_LOOK
        while True:
            found: dict[str, Any] = await self._request("GET", f"/evaluations/{evaluation_id}")
            if progress is not None:
                waits = [EvalWait.of(each) for each in found["waits"]]
                progress.show(found["done_count"], found["cell_count"], waits)
            if found["is_waiting"]:
                return found
            await asyncio.sleep(pause)
            pause = min(pause * 1.5, _LONGEST_LOOK)

    async def _pause(self, started: dict[str, Any]) -> EvalPaused:
        """Pauses the runs, unless they have ended."""
        for run in started["runs"]:
            with suppress(ConfigError):
                await self._request("POST", f"/runs/{run['id']}/pause")
        found = await self._request("GET", f"/evaluations/{started['id']}")
        return EvalPaused(found["done_count"], found["cell_count"])

    async def _results(
        self,
        plan: "EvalPlan",
        groups: "Sequence[CellGroup]",
        ended: Mapping[str, Any],
        seconds: float,
    ) -> "EvalResults":
        from edison.evals.results import EvalResults

        rows: list[RowResult] = []
        for position, group in enumerate(groups):
            rows += await self._rows(ended["id"], position, group)
        stopped = [each["message"] for each in ended["runs"] if each["reason"] == _BUDGET]
        return EvalResults(
            plan=plan,
            rows=sorted(rows, key=lambda row: row.order),
            run_ids=[UUID(run["id"]) for run in ended["runs"]],
            project_slug=ended["project_slug"],
            seconds=seconds,
            evaluation_id=UUID(ended["id"]),
            tags=ended["tags"],
            budget_message=stopped[0] if stopped else None,
        )

    async def _rows(
        self, evaluation_id: str, position: int, group: "CellGroup"
    ) -> "list[RowResult]":
        from edison.evals.results import read_row
        from edison.evals.schemas import EvaluationCellPage

        found, after = {}, 0
        while True:
            path, query = f"/evaluations/{evaluation_id}/cells", {"run": position, "after": after}
            answer = await self._request("GET", path, query=query)
            page = EvaluationCellPage.model_validate(answer)
            for each in page.items:
                found[each.case_position, each.variant_position, each.repeat] = each
            if page.next is None:
                break
            after = page.next
        rows = []
        for place, cell in group.cells.items():
            output = found.get(place)
            rows.append(read_row(cell, output, None if output is None else output.score))
        return rows

    async def _request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
    ) -> Any:
        """Raises ConfigError or Exhausted."""
        from edison.sdk.client import ApiError

        try:
            return await asyncio.to_thread(
                self.client.request, method, path, query=query, body=body
            )
        except ApiError as refused:
            if refused.status == _PAYMENT_REQUIRED:
                raise Exhausted(str(refused)) from refused
            raise ConfigError(_sentence(refused)) from refused


def open_remote(url: str, project: str | None, env: Mapping[str, str]) -> RemoteEngine:
    """The server's evaluations in the named project, or in the only one of the token's owner.
    Raises ConfigError.
    """
    from edison.sdk.client import ApiError, Client

    if not env.get("EDISON_TOKEN"):
        raise ConfigError("Set EDISON_TOKEN to a personal access token of the server.")
    try:
        client = Client(url, token=env["EDISON_TOKEN"], project=project)
        if client.project is None:
            found = client.get("/api/v1/projects", limit=100)["items"]
            if len(found) != 1:
                slugs = ", ".join(each["slug"] for each in found) or "none"
                raise ConfigError(f"Name a project with --project. The server has: {slugs}.")
            client.project = found[0]["slug"]
    except ValueError as wrong:
        raise ConfigError(str(wrong)) from wrong
    except ApiError as refused:
        raise ConfigError(_sentence(refused)) from refused
    return RemoteEngine(client=client, env=env)


def _id(given: str | None) -> str | None:
    """Raises ConfigError."""
    from edison.evals.evaluations import read_id

    return None if given is None else str(read_id(given))


def _sentence(refused: Any) -> str:
    details = refused.details if isinstance(refused.details, list) else []
    return " ".join([str(refused), *(f"{each['field']}: {each['message']}" for each in details)])
