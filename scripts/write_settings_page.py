"""Writes docs/settings.md from the Settings class."""

from pathlib import Path

from pydantic import SecretStr
from pydantic.fields import FieldInfo

from edison.settings import Settings

PAGE = Path(__file__).parents[1] / "docs" / "settings.md"
HEAD = """# Settings

Every setting is an environment variable, or a key of the same name in lower case without `EDISON_`
in a TOML file: `edison.toml` in the data directory, or the file named by `--config` or
`EDISON_CONFIG`. Variables win over the file. `edison doctor` shows what is in effect and why.

| variable | default | meaning |
|---|---|---|
"""


def default_of(name: str, field: FieldInfo) -> str:
    if name == "data_dir":
        return "`~/.local/share/edison`"
    if field.default is None or field.default == ():
        return "none"
    value = field.default
    return "none" if isinstance(value, SecretStr) else f"`{value}`"


def render() -> str:
    rows = [
        f"| `EDISON_{name.upper()}` | {default_of(name, field)} | {field.description} |"
        for name, field in Settings.model_fields.items()
    ]
    return HEAD + "\n".join(rows) + "\n"


if __name__ == "__main__":
    PAGE.write_text(render())
