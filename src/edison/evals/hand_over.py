"""Whether a server can execute an evaluation that a command stores in its database."""

from collections.abc import Iterator, Mapping
from urllib.parse import urlsplit

from edison.evals.graders import assertions_of, graders_of
from edison.evals.plan import EvalPlan, EvalProvider
from edison.evals.targets import target_of
from edison.kit.credential_variables import Variables
from edison.kit.host_patterns import matches_host


def list_objections(plan: EvalPlan, env: Mapping[str, str], allowed: Variables) -> list[str]:
    """What the server cannot do: run code of this machine, or read keys from variables that its
    settings do not allow. One sentence each.
    """
    providers = {each.provider.id: each.provider for each in plan.columns}
    asked = [*providers.values(), *graders_of(plan)]
    found = [*_code(plan)]
    for provider in asked:
        found += _of_provider(provider, env, allowed)
    return list(dict.fromkeys(found))


def _code(plan: EvalPlan) -> Iterator[str]:
    for row in plan.rows:
        if row.test.output is not None:
            yield "Recorded answers are evaluated only by the command."
        for each in assertions_of(row.test):
            if str(each.get("type")).removeprefix("not-") == "python":
                yield "Python assertions run only in the command."


def _of_provider(
    provider: EvalProvider, env: Mapping[str, str], allowed: Variables
) -> Iterator[str]:
    target = target_of(provider, env)
    if target.is_code:
        yield f"{provider.id} is code that runs only in the command."
    if target.variable is None or not env.get(target.variable) or target.secret is not None:
        return
    host = urlsplit(target.settings.get("base_url", "")).hostname
    hosts = allowed.get(target.variable)
    if hosts is None or (host is not None and not matches_host(host, hosts)):
        yield (
            f"EDISON_CREDENTIAL_VARIABLES does not allow the server to send {target.variable} "
            f"to {host or 'the provider'}."
        )
