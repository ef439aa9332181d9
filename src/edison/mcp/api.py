"""Calls to Edison's HTTP API for the tools of the MCP server, with the caller's own token."""

from collections.abc import Mapping
from typing import Any, Protocol
from urllib.parse import quote
from uuid import UUID

from mcp.server.mcpserver.exceptions import ToolError

from edison.kit.lazy_dataclasses import dataclass

Json = dict[str, Any]
_PAGE = 100


class Api(Protocol):
    """Edison's HTTP API in the name of one caller."""

    async def request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
    ) -> Any:
        """The response as JSON; `path` begins with `/api/`. Raises ToolError."""


def refusal(message: str, details: Any = None) -> ToolError:
    """The error of a refused request, with the fields it names."""
    found = details if isinstance(details, list) else []
    fields = [
        f"{each['field']}: {each['message']}"
        for each in found
        if isinstance(each, dict) and {"field", "message"} <= each.keys()
    ]
    return ToolError(" ".join([message, *fields]))


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectApi:
    """The API below one project."""

    api: Api
    slug: str

    async def get(self, path: str, **query: Any) -> Json:
        given = {name: value for name, value in query.items() if value is not None}
        return dict(await self.api.request("GET", self._path(path), query=given))

    async def post(self, path: str, body: Json) -> Json:
        return dict(await self.api.request("POST", self._path(path), body=body))

    async def find(self, path: str, wanted: str, *, noun: str, name: str = "name") -> Json:
        """The item of a list with this id or name; upper and lower case count only if several
        items have the name. Raises ToolError.
        """
        if is_id(wanted):
            return await self.get(f"{path}/{wanted}")
        page = await self.get(path, q=wanted, limit=_PAGE)
        alike = [each for each in page["items"] if each[name].casefold() == wanted.casefold()]
        exact = [each for each in alike if each[name] == wanted]
        if len(found := exact or alike) == 1:
            return dict(found[0])
        if found:
            ids = ", ".join(each["id"] for each in found)
            raise ToolError(f"Several {noun}s have the name “{wanted}”. Use one of the ids: {ids}.")
        some = (await self.get(path, limit=_PAGE))["items"]
        names = ", ".join(f"“{each[name]}”" for each in some) or "none"
        raise ToolError(f"The project has no {noun} “{wanted}”. It has: {names}.")

    def _path(self, path: str) -> str:
        return f"/api/v1/projects/{quote(self.slug, safe='')}{path}"


def is_id(text: str) -> bool:
    try:
        UUID(text)
    except ValueError:
        return False
    return True


async def choose_project(api: Api, wanted: str | None) -> ProjectApi:
    """The named project, or the only one of the caller. Raises ToolError."""
    if wanted is not None:
        return ProjectApi(api=api, slug=wanted)
    found = await list_projects(api)
    if len(found) == 1:
        return ProjectApi(api=api, slug=found[0]["slug"])
    slugs = ", ".join(each["slug"] for each in found) or "none"
    raise ToolError(f"Name a project with `project`. You are a member of: {slugs}.")


async def list_projects(api: Api) -> list[Json]:
    page = await api.request("GET", "/api/v1/projects", query={"limit": _PAGE})
    return list(page["items"])
