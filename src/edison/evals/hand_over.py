"""Whether a server can execute an evaluation that a command stores in its database."""

from collections.abc import Iterator, Mapping
from urllib.parse import urlsplit

from edison.evals.errors import Place
from edison.evals.graders import assertions_of, graders_of
from edison.evals.plan import EvalPlan, EvalProvider
from edison.evals.targets import target_of
from edison.kit.credential_variables import Variables
from edison.kit.host_patterns import matches_host


def list_objections(plan: EvalPlan, env: Mapping[str, str], allowed: Variables) -> list[str]:
    """What a server on this data directory cannot do: run code of the configuration, or read keys
    from variables that its settings do not allow. One sentence each, with file and line.
    """
    found = _code(plan, env)
    for provider in _asked(plan):
        found += _of_key(provider, env, allowed)
    return list(dict.fromkeys(found))


def list_code(plan: EvalPlan, env: Mapping[str, str]) -> list[str]:
    """All code of the configuration, none of which is sent to another machine or run for it. One
    sentence each, with file and line.
    """
    return list(dict.fromkeys([*_of_prompts(plan), *_code(plan, env)]))


def _code(plan: EvalPlan, env: Mapping[str, str]) -> list[str]:
    found = list(_of_tests(plan))
    for provider in _asked(plan):
        if target_of(provider, env).is_code:
            sentence = f"{provider.id} is code that runs only in the command."
            found.append(_line(provider.place, sentence))
    return found


def _asked(plan: EvalPlan) -> list[EvalProvider]:
    providers = {each.provider.id: each.provider for each in plan.columns}
    return [*providers.values(), *graders_of(plan)]


def _of_prompts(plan: EvalPlan) -> Iterator[str]:
    for column in plan.columns:
        if column.prompt.function is not None:
            sentence = f"{column.prompt.raw} is code that runs only in the command."
            yield _line(column.prompt.place, sentence)


def _of_tests(plan: EvalPlan) -> Iterator[str]:
    for row in plan.rows:
        test = row.test
        if test.output is not None:
            yield _line(test.place, "Recorded answers are evaluated only by the command.")
        for each in assertions_of(test):
            if str(each.get("type")).removeprefix("not-") == "python":
                yield _line(test.place, "Python assertions run only in the command.")


def _of_key(provider: EvalProvider, env: Mapping[str, str], allowed: Variables) -> Iterator[str]:
    target = target_of(provider, env)
    if target.variable is None or not env.get(target.variable) or target.secret is not None:
        return
    host = urlsplit(target.settings.get("base_url", "")).hostname
    hosts = allowed.get(target.variable)
    if hosts is None or (host is not None and not matches_host(host, hosts)):
        sentence = (
            f"EDISON_CREDENTIAL_VARIABLES does not allow the server to send {target.variable} "
            f"to {host or 'the provider'}."
        )
        yield _line(provider.place, sentence)


def _line(place: Place | None, sentence: str) -> str:
    return sentence if place is None else f"{place}: {sentence}"
