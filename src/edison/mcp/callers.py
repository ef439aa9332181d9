"""The API and the project of a call to a tool."""

from collections.abc import Callable
from typing import Any

from mcp.server.mcpserver import Context

from edison.kit.lazy_dataclasses import dataclass
from edison.mcp.api import Api, ProjectApi, choose_project


@dataclass(frozen=True, slots=True, kw_only=True)
class Callers:
    """`project` is the slug of the project for calls that name none."""

    api_of: Callable[[Context[Any, Any]], Api]
    project: str | None = None

    async def project_of(self, context: Context[Any, Any], wanted: str | None) -> ProjectApi:
        """Raises ToolError."""
        return await choose_project(self.api_of(context), wanted or self.project)
