"""Starts an evaluation: one run for each group of cells, from texts, without prompt versions."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.evals.cells import CellGroup, resolved
from edison.evals.graders import with_graders
from edison.evals.plan import EvalColumn, EvalPlan, EvalProvider, EvalTest
from edison.evals.register import ModelRegistry
from edison.evals.targets import Target, TargetKind, target_of
from edison.jobs.job import Priority
from edison.kit.lazy_dataclasses import dataclass
from edison.library.prompts import service as prompts
from edison.pipeline.render.nunjucks.javascript import JavaScriptError, parse_json
from edison.pipeline.render.template import Syntax
from edison.runs.plan import service as run_plans
from edison.runs.plan.types import (
    LONGEST_LABEL,
    PlannedCase,
    PlannedScorer,
    PlannedVariant,
    RunContext,
    RunPlan,
)
from edison.runs.store.states import RunCache

ORIGIN = "eval"
RECORDED = "recorded answers"
_LONGEST_NAME = 100
_CHAT_ROLES = ("system", "user", "assistant")
_TAG_LENGTH = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalRun:
    """A stored run, and the cells that it answers."""

    run_id: UUID
    group: CellGroup


class Starter:
    """Creates the runs of an evaluation, in the caller's transaction. `graders` are by what the
    scorer looks them up with.
    """

    def __init__(
        self,
        session: AsyncSession,
        plan: EvalPlan,
        *,
        registry: ModelRegistry,
        graders: Mapping[str, EvalProvider],
        env: Mapping[str, str],
    ) -> None:
        self._session = session
        self._plan = plan
        self._registry = registry
        self._graders = graders
        self._env = env

    async def start(self, groups: Sequence[CellGroup], context: RunContext) -> list[EvalRun]:
        """Raises ConfigError, or BudgetExhausted."""
        mode = RunCache.USE if self._plan.is_cached else RunCache.BYPASS
        started = []
        for group, plan in zip(groups, await self.plan_runs(groups), strict=True):
            run_id = await run_plans.add_planned_run(
                self._session, context=context, plan=plan, cache_mode=mode
            )
            started.append(EvalRun(run_id=run_id, group=group))
        return started

    async def plan_runs(self, groups: Sequence[CellGroup]) -> list[RunPlan]:
        """Adds the models that the project lacks. Raises ConfigError."""
        scorers = await self._scorers()
        return [
            RunPlan(
                name=(self._plan.description or "Evaluation")[:_LONGEST_NAME],
                variants=[
                    await self._variant(column, template, group)
                    for column, template in zip(group.columns, group.templates, strict=True)
                ],
                cases=[_case(test, values, group) for test, values in group.cases],
                scorers=scorers,
                repeats=self._plan.repeats,
                dataset_id=None,
                dataset_name=None,
            )
            for group in groups
        ]

    async def _scorers(self) -> list[PlannedScorer]:
        options: dict[str, Any] = {"assertions": "[]"}
        kind = "assertions"
        if self._graders:
            kind = "graded_assertions"
            models = {
                key: (await self._registry.model_of(each))[0].id
                for key, each in self._graders.items()
            }
            by_key = {key: str(each) for key, each in models.items()}
            options |= {"model_id": next(iter(by_key.values())), "provider_models": by_key}
        return [
            PlannedScorer(
                kind=kind,
                label="Assertions",
                options=options,
                weight=1.0,
                threshold=None,
                is_negated=False,
            )
        ]

    async def _variant(self, column: EvalColumn, template: str, group: CellGroup) -> PlannedVariant:
        function = RECORDED if group.is_recorded else None
        model, parameters = await self._registry.model_of(column.provider, function=function)
        target = target_of(column.provider, self._env)
        parts = _parts(template, target, column.provider.config)
        name = " ".join(column.prompt.label.split())
        return PlannedVariant(
            label=f"{name[:100]} · {column.provider.name}"[:LONGEST_LABEL],
            prompt_id=None,
            prompt_name=name[:_LONGEST_NAME],
            version_id=None,
            version_label="text",
            template=prompts.template_of_stored(parts),
            parts=parts,
            model=model,
            fallback=None,
            parameters=parameters,
        )


def _parts(template: str, target: Target, config: Mapping[str, Any]) -> dict[str, Any]:
    """Models get the messages of a chat; code gets the prompt as it is written."""
    parts: dict[str, Any] = {
        "syntax": Syntax.NUNJUCKS.value,
        "system": None,
        "text": template,
        "few_shots": [],
        "tools": _tools(config) if target.kind is TargetKind.MODEL else [],
        "has_free_output": True,
    }
    if target.kind in {TargetKind.MODEL, TargetKind.OWN}:
        parts |= chat_of(template) or {}
    return parts


def chat_of(template: str) -> dict[str, Any] | None:
    """A chat in JSON as system text, examples and question; None when it is something else."""
    try:
        found = parse_json(template)
    except JavaScriptError:
        return None
    if not isinstance(found, list) or not found or not all(map(_is_message, found)):
        return None
    system = [each["content"] for each in found if each["role"] == "system"]
    turns = [each for each in found if each["role"] != "system"]
    roles = [each["role"] for each in turns]
    if len(system) > 1 or roles != (["user", "assistant"] * len(turns))[: len(turns)]:
        return None
    if not turns or roles[-1] != "user":
        return None
    pairs = zip(turns[:-1:2], turns[1::2], strict=True)
    return {
        "system": system[0] if system else None,
        "text": turns[-1]["content"],
        "few_shots": [{"user": a["content"], "assistant": b["content"]} for a, b in pairs],
    }


def _is_message(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and value.get("role") in _CHAT_ROLES
        and isinstance(value.get("content"), str)
    )


def _tools(config: Mapping[str, Any]) -> list[dict[str, Any]]:
    tools = config.get("tools")
    functions = [
        each.get("function") for each in (tools if isinstance(tools, list) else [])
        if isinstance(each, dict)
    ]  # fmt: skip
    return [
        {
            "name": str(each["name"]),
            "description": str(each.get("description") or ""),
            "parameters": each.get("parameters") or {},
        }
        for each in functions
        if isinstance(each, dict) and "name" in each
    ]


def _case(test: EvalTest, values: Mapping[str, Any], group: CellGroup) -> PlannedCase:
    return PlannedCase(
        inputs=resolved(values),
        tags=case_tags(test),
        assertions=case_assertions(test, group.transform),
    )


def case_tags(test: EvalTest) -> tuple[str, ...]:
    return (" ".join(test.description.split())[:_TAG_LENGTH],) if test.description else ()


def case_assertions(test: EvalTest, transform: str | None) -> dict[str, Any]:
    """The assertions of a case, with the transform of its provider."""
    options = dict(test.options)
    if transform is not None:
        options["providerTransform"] = transform
    return {"assertions": with_graders(test), "threshold": test.threshold, "options": options}


def run_context(
    project_id: UUID, *, author_id: UUID | None, origin: str, scope_ids: tuple[UUID, ...]
) -> RunContext:
    return RunContext(
        project_id=project_id,
        origin=origin,
        author_id=author_id,
        priority=Priority.NORMAL,
        scope_ids=scope_ids,
        keep_for=None,
    )
