"""A plan as it is sent to a server, and read there. Keys and code never leave the machine."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from edison.evals.cells import CellGroup
from edison.evals.errors import ConfigError
from edison.evals.graders import graders_by_key, with_graders
from edison.evals.plan import EvalColumn, EvalPlan, EvalPrompt, EvalProvider, EvalTest
from edison.evals.schemas import EvaluationPlan, PlannedGroup
from edison.evals.targets import target_of

_KEYS = ("apiKey", "apiKeyEnvar")


def plan_document(
    plan: EvalPlan, groups: Sequence[CellGroup], env: Mapping[str, str]
) -> dict[str, Any]:
    """The body that starts the evaluation, without its terms. Raises ConfigError."""
    graders = graders_by_key(plan)
    providers = list(
        {
            each.id + repr(each.label) + repr(each.config): each
            for each in [*(column.provider for column in plan.columns), *graders.values()]
        }.values()
    )
    return {
        "name": (plan.description or "Evaluation")[:100],
        "tags": dict(plan.tags),
        "providers": [_provider(each, env) for each in providers],
        "graders": {key: _place(providers, each) for key, each in graders.items()},
        "groups": [_group(each, providers) for each in groups],
        "repeats": plan.repeats,
        "is_cached": plan.is_cached,
    }


def _place(providers: Sequence[EvalProvider], wanted: EvalProvider) -> int:
    return next(
        at
        for at, each in enumerate(providers)
        if (each.id, each.label, each.config) == (wanted.id, wanted.label, wanted.config)
    )


def _provider(given: EvalProvider, env: Mapping[str, str]) -> dict[str, Any]:
    """With the address that the variables of this machine name, and without keys."""
    settings = target_of(given, env).settings
    config = {name: value for name, value in given.config.items() if name not in _KEYS}
    if address := settings.get("base_url") or settings.get("endpoint"):
        config["apiBaseUrl"] = address
    return {"id": given.id, "label": given.label, "config": config}


def _group(group: CellGroup, providers: Sequence[EvalProvider]) -> dict[str, Any]:
    return {
        "columns": [
            {
                "prompt": column.prompt.label,
                "template": template,
                "provider": _place(providers, column.provider),
            }
            for column, template in zip(group.columns, group.templates, strict=True)
        ],
        "tests": [_test(test, values) for test, values in group.cases],
        "transform": group.transform,
    }


def _test(test: EvalTest, values: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "description": test.description,
        "vars": dict(values),
        "checks": {
            "assertions": with_graders(test),
            "threshold": test.threshold,
            "options": dict(test.options),
        },
    }


def read_document(
    given: EvaluationPlan,
) -> tuple[EvalPlan, list[CellGroup], dict[str, EvalProvider]]:
    """The plan, its groups and its graders. Raises ConfigError for code of another machine."""
    providers = [
        EvalProvider(id=each.id, label=each.label, config=each.config) for each in given.providers
    ]
    for provider in providers:
        if target_of(provider, {}).is_code:
            raise ConfigError(f"{provider.id} is code that runs only in the command.")
    groups = [_read_group(each, providers) for each in given.groups]
    plan = EvalPlan(
        description=given.name,
        columns=[column for group in groups for column in group.columns],
        rows=[],
        config={},
        is_cached=given.is_cached,
        repeats=given.repeats,
        tags=given.tags,
    )
    return plan, groups, {key: providers[at] for key, at in given.graders.items()}


def _read_group(given: PlannedGroup, providers: Sequence[EvalProvider]) -> CellGroup:
    columns = [
        EvalColumn(
            index=at,
            prompt=EvalPrompt(raw=each.template, label=each.prompt),
            provider=replace(providers[each.provider], transform=given.transform),
        )
        for at, each in enumerate(given.columns)
    ]
    tests = [
        EvalTest(
            number=number,
            vars=each.vars,
            assertions=each.checks.assertions,
            threshold=each.checks.threshold,
            options=each.checks.options,
            description=each.description,
        )
        for number, each in enumerate(given.tests)
    ]
    return CellGroup(
        columns=columns,
        templates=[each.template for each in given.columns],
        transform=given.transform,
        is_recorded=False,
        cases=[(test, test.vars) for test in tests],
    )
