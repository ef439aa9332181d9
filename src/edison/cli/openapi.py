"""`edison openapi`: the OpenAPI document, for generated clients."""

import json
import tempfile
from pathlib import Path


def print_document() -> None:
    """Print the OpenAPI document."""
    from edison.app.main import create_app
    from edison.settings import Settings

    with tempfile.TemporaryDirectory() as folder:
        document = create_app(Settings(data_dir=Path(folder))).openapi()
    print(json.dumps(document, indent=2, ensure_ascii=False))  # noqa: T201 - this is the output
