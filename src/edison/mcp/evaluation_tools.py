"""Tools that spend money or propose changes: evaluations with a cost limit, suggestions."""

import asyncio
import time
from collections.abc import Sequence
from decimal import Decimal
from typing import Annotated, Any

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

from edison.kit.lazy_dataclasses import dataclass
from edison.mcp.api import Json, ProjectApi
from edison.mcp.arguments import DatasetName, Project, PromptName, VersionLabel
from edison.mcp.callers import Callers
from edison.mcp.library_tools import pick, read_version
from edison.mcp.run_tools import describe_run

_ESTIMATE = (
    "answer_calls", "judge_calls", "cost", "simulated_cost", "seconds", "unpriced_models",
    "assumptions", "budgets",
)  # fmt: skip
_SUGGESTION = ("id", "state", "note", "violations", "diff", "is_base_latest")
_LONGEST_WAIT = 600
_FIRST_LOOK, _LONGEST_LOOK = 0.1, 2.0

Models = Annotated[
    list[str],
    Field(min_length=1, max_length=32, description="Names or ids of models: see list_models."),
]
Scorers = Annotated[
    list[str] | None,
    Field(max_length=20, description="Names or ids of saved scorers: see list_scorers."),
]
Cases = Annotated[
    int | None, Field(ge=1, le=100_000, description="Only the first cases of the dataset.")
]
Repeats = Annotated[int, Field(ge=1, le=20, description="How often each case is asked.")]


class EvaluationTools:
    def __init__(self, callers: Callers) -> None:
        self._callers = callers

    async def estimate_evaluation(
        self,
        context: Context[Any, Any],
        prompt: PromptName,
        models: Models,
        dataset: DatasetName,
        scorers: Scorers = None,
        version: VersionLabel = "latest",
        case_limit: Cases = None,
        repeats: Repeats = 1,
        project: Project = None,
    ) -> Json:
        """Estimate calls, cost and time of an evaluation. Calls no model."""
        home = await self._callers.project_of(context, project)
        wanted = _WantedEvaluation(
            prompt=prompt,
            version=version,
            models=models,
            dataset=dataset,
            scorers=scorers or (),
            case_limit=case_limit,
            repeats=repeats,
        )
        body = await wanted.request(home)
        return pick(await home.post("/runs/estimate", body), _ESTIMATE)

    async def run_evaluation(
        self,
        context: Context[Any, Any],
        prompt: PromptName,
        models: Models,
        dataset: DatasetName,
        max_cost_usd: Annotated[
            Decimal,
            Field(
                gt=0,
                le=10_000,
                description="Refused if the high estimate is above it; no call that could exceed "
                "it is made.",
            ),
        ],
        scorers: Scorers = None,
        version: VersionLabel = "latest",
        case_limit: Cases = None,
        repeats: Repeats = 1,
        name: Annotated[str | None, Field(max_length=100, description="Name of the run.")] = None,
        wait_seconds: Annotated[
            int,
            Field(ge=0, le=_LONGEST_WAIT, description="How long to wait for results."),
        ] = 60,
        project: Project = None,
    ) -> Json:
        """Evaluate a prompt version with models on a dataset. Estimates first, then spends at most
        `max_cost_usd`. Returns the results, or what is done so far after `wait_seconds`: read the
        rest later with get_run.
        """
        home = await self._callers.project_of(context, project)
        wanted = _WantedEvaluation(
            prompt=prompt,
            version=version,
            models=models,
            dataset=dataset,
            scorers=scorers or (),
            case_limit=case_limit,
            repeats=repeats,
        )
        body = await wanted.request(home)
        estimate = await home.post("/runs/estimate", body)
        _check_cost(estimate, max_cost_usd)
        started = await home.post(
            "/evaluations", {"run": body | {"name": name}, "max_cost_usd": f"{max_cost_usd:f}"}
        )
        await _wait(context, home, started["id"], wait_seconds)
        found = await describe_run(home, started["runs"][0]["id"])
        return found | {"evaluation": started["id"], "estimate": pick(estimate, _ESTIMATE)}

    async def propose_prompt_change(
        self,
        context: Context[Any, Any],
        prompt: PromptName,
        note: Annotated[
            str,
            Field(min_length=10, max_length=2000, description="What changes, and why."),
        ],
        text: Annotated[
            str | None, Field(description="The whole new main text; left out, it stays.")
        ] = None,
        system: Annotated[
            str | None, Field(description="The whole new system text; left out, it stays.")
        ] = None,
        version: VersionLabel = "latest",
        project: Project = None,
    ) -> Json:
        """Propose a change of a prompt. It becomes a suggestion that a person must approve: the
        prompt itself does not change. Violations are guard rails that reviewers see.
        """
        if text is None and system is None:
            raise ToolError("Give the new `text`, the new `system` text, or both.")
        home = await self._callers.project_of(context, project)
        found = await home.find("/prompts", prompt, noun="prompt")
        base = await read_version(home, found["name"], version)
        parts = {"text": text, "system": system}
        made = await home.post(
            f"/prompts/{found['id']}/suggestions",
            {name: part for name, part in parts.items() if part is not None}
            | {"note": note, "version_id": base["id"]},
        )
        page = f"/p/{home.slug}/reviews/{made['id']}"
        return pick(made, _SUGGESTION) | {"base": base["label"], "review_page": page}


@dataclass(frozen=True, slots=True, kw_only=True)
class _WantedEvaluation:
    """An evaluation in names."""

    prompt: str
    version: str
    models: Sequence[str]
    dataset: str
    scorers: Sequence[str]
    case_limit: int | None
    repeats: int

    async def request(self, home: ProjectApi) -> Json:
        """The body of a run. Raises ToolError for a name that the project does not have."""
        prompt = await home.find("/prompts", self.prompt, noun="prompt")
        version = await read_version(home, prompt["name"], self.version)
        models = [
            await home.find("/models", each, noun="model", name="display_name")
            for each in self.models
        ]
        scorers = [await home.find("/scorers", each, noun="scorer") for each in self.scorers]
        dataset = await home.find("/datasets", self.dataset, noun="dataset")
        body: Json = {
            "variants": [
                {"prompt_id": prompt["id"], "version_id": version["id"], "model_id": each["id"]}
                for each in models
            ],
            "dataset_id": dataset["id"],
            "repeats": self.repeats,
            "scorers": [{"scorer_version_id": each["latest"]["id"]} for each in scorers],
        }
        return body if self.case_limit is None else body | {"cases": {"limit": self.case_limit}}


def _check_cost(estimate: Json, limit: Decimal) -> None:
    """Raises ToolError when the estimate has no upper end, or one above the limit."""
    if estimate["unpriced_models"]:
        names = ", ".join(estimate["unpriced_models"])
        raise ToolError(f"The prices of {names} are not known, so no cost limit can hold.")
    highs = [estimate[name]["high_usd"] for name in ("cost", "simulated_cost")]
    high = max(Decimal(each) for each in highs if each is not None)
    if high > limit:
        raise ToolError(
            f"The evaluation could cost up to ${high:f}, which is above max_cost_usd {limit:f}. "
            "Nothing was started. Use fewer cases or models, or a higher limit."
        )


async def _wait(
    context: Context[Any, Any], home: ProjectApi, evaluation: str, seconds: int
) -> None:
    """Returns when the evaluation is over or paused, or the time is up."""
    until, pause = time.monotonic() + seconds, _FIRST_LOOK
    while True:
        found = await home.get(f"/evaluations/{evaluation}")
        await context.report_progress(found["done_count"], found["cell_count"])
        left = until - time.monotonic()
        if found["is_waiting"] or left <= 0:
            return
        await asyncio.sleep(min(pause, left))
        pause = min(pause * 1.5, _LONGEST_LOOK)
