"""Hatchling hook: every wheel and sdist contains the built UI, the documentation, the OpenAPI
document and the SDK's typed client.

The UI is rebuilt when the sources in frontend/ have changed, the documentation when docs/ has, the
document and the client when the sources of Edison have; for these, the build needs Edison's
dependencies. A wheel made from an sdist takes what the sdist carries, and needs neither Node nor
the sources nor the dependencies. Set EDISON_SKIP_UI_BUILD=1 to leave all of it as it is, present or
not.
"""

import importlib.util
import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


def load(root: str, script: str) -> ModuleType:
    """Import a file of scripts/, which is not a module of any installed package."""
    path = Path(root, "scripts", f"{script}.py")
    spec = importlib.util.spec_from_file_location(f"edison_{script}", path)
    if spec is None or spec.loader is None:
        raise ImportError(f"cannot load {path}")
    module = importlib.util.module_from_spec(spec)
    # Dataclasses look their module up by name while they are being defined.
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def is_skipped() -> bool:
    return os.environ.get("EDISON_SKIP_UI_BUILD", "") not in {"", "0"}


class GeneratedFilesHook(BuildHookInterface):  # type: ignore[type-arg]  # generic over its config
    """Builds and writes the generated files before hatchling collects files."""

    def dependencies(self) -> list[str]:
        """Ask for Node from PyPI only where the UI must be built and the machine has no Node, and
        for Edison's dependencies only where what describes its API must be written.
        """
        if is_skipped():
            return []
        frontend, client = load(self.root, "frontend"), load(self.root, "write_sdk_client")
        docs, document = load(self.root, "docs_site"), load(self.root, "openapi_document")
        needs_edison = document.needs_write() or client.needs_write() or docs.needs_build()
        return [
            *(frontend.requirements() if frontend.needs_build() else ()),
            *(docs.requirements() if docs.needs_build() else ()),
            *(self.metadata.core.dependencies if needs_edison else ()),
        ]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if is_skipped():
            self.app.display_warning("EDISON_SKIP_UI_BUILD is set: the UI is not built")
            return
        frontend, client = load(self.root, "frontend"), load(self.root, "write_sdk_client")
        docs, document = load(self.root, "docs_site"), load(self.root, "openapi_document")
        try:
            built, made = frontend.build(), document.write()
            described, written = docs.build(), client.write()
        except frontend.FrontendError as error:
            self.app.abort(f"Cannot build the UI. {error}")
        except docs.DocsError as error:
            self.app.abort(f"Cannot build the documentation. {error}")
        except document.DocumentError as error:
            self.app.abort(str(error))
        self.app.display_info("UI built" if built else "UI is current")
        self.app.display_info("OpenAPI document made" if made else "OpenAPI document is current")
        self.app.display_info("Documentation built" if described else "Documentation is current")
        self.app.display_info("SDK client written" if written else "SDK client is current")
