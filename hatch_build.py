"""Hatchling hook: every wheel and sdist contains the built UI.

The UI is rebuilt when the sources in frontend/ have changed. A wheel made from an sdist takes the
assets that the sdist carries, and needs neither Node nor the front end's sources.
Set EDISON_SKIP_UI_BUILD=1 to leave the assets as they are, present or not.
"""

import importlib.util
import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


def load_frontend(root: str) -> ModuleType:
    """Import scripts/frontend.py, which is not a module of any installed package."""
    path = Path(root, "scripts", "frontend.py")
    spec = importlib.util.spec_from_file_location("edison_frontend", path)
    if spec is None or spec.loader is None:
        raise ImportError(f"cannot load {path}")
    module = importlib.util.module_from_spec(spec)
    # Dataclasses look their module up by name while they are being defined.
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def is_skipped() -> bool:
    return os.environ.get("EDISON_SKIP_UI_BUILD", "") not in {"", "0"}


class UserInterfaceHook(BuildHookInterface):  # type: ignore[type-arg]  # generic over its config
    """Builds the UI before hatchling collects files."""

    def dependencies(self) -> list[str]:
        """Ask for Node from PyPI only where the UI must be built and the machine has no Node."""
        frontend = load_frontend(self.root)
        if is_skipped() or not frontend.needs_build():
            return []
        return list(frontend.requirements())

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if is_skipped():
            self.app.display_warning("EDISON_SKIP_UI_BUILD is set: the UI is not built")
            return
        frontend = load_frontend(self.root)
        try:
            built = frontend.build()
        except frontend.FrontendError as error:
            self.app.abort(f"Cannot build the UI. {error}")
        self.app.display_info("UI built" if built else "UI is current")
