"""The files in deploy/ match the settings that Edison reads."""

import re
from pathlib import Path

from edison.settings import Settings

EXAMPLE = Path(__file__).parents[2] / "deploy" / ".env.example"
COMPOSE_ONLY = {"EDISON_PUBLISH"}


def test_the_example_names_every_setting_and_no_other() -> None:
    named = re.findall(r"^(?:# )?(EDISON_\w+)=", EXAMPLE.read_text(), flags=re.MULTILINE)
    settings = [f"EDISON_{name.upper()}" for name in Settings.model_fields]
    assert sorted(set(named) - COMPOSE_ONLY) == sorted(settings)
