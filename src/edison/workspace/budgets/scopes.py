"""Parts of a project that can have their own budgets, one per period: experiments, monitors,
A/B tests, evaluations, optimizers and arenas.

They belong to slices above this one, which register themselves in `known_scopes`; `app/hooks.py`
fills it. A slice limits what it owns with `service.set_scope_limit`, names the scope in the
`scope_ids` of its calls and runs, and deletes its budgets with `service.delete_scope_budgets`.
"""

from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit.errors import FieldProblem, Invalid
from edison.workspace.budgets.models import Budget, Scope

# Returns the names of the ids that exist in the project.
FindNames = Callable[[AsyncSession, UUID, Collection[UUID]], Awaitable[Mapping[UUID, str]]]

known_scopes: dict[Scope, FindNames] = {}


async def resolve_scope(
    session: AsyncSession, *, project_id: UUID, scope: Scope, scope_id: UUID | None
) -> UUID:
    """The id of the scope to limit. Raises Invalid when it does not exist."""
    if scope is Scope.PROJECT:
        if scope_id not in (None, project_id):
            raise _unfit("A budget for the project needs no other id.", "not_the_project")
        return project_id
    if scope_id is None:
        raise _unfit(f"Say which {scope} the budget is for.", "missing")
    find_names = known_scopes.get(scope)
    if find_names is None or scope_id not in await find_names(session, project_id, [scope_id]):
        raise _unfit(f"There is no such {scope} in this project.", "unknown_scope")
    return scope_id


async def find_scope_names(
    session: AsyncSession, *, project_id: UUID, budgets: Iterable[Budget]
) -> Mapping[UUID, str]:
    """Names of scopes by id, without the project and deleted scopes."""
    wanted: dict[Scope, set[UUID]] = defaultdict(set)
    for budget in budgets:
        wanted[Scope(budget.scope)].add(budget.scope_id)
    names: dict[UUID, str] = {}
    for scope, scope_ids in wanted.items():
        if scope in known_scopes:
            names |= await known_scopes[scope](session, project_id, scope_ids)
    return names


def _unfit(message: str, code: str) -> Invalid:
    return Invalid(FieldProblem(field="scope_id", message=message, code=code))
