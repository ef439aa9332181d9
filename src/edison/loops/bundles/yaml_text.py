"""YAML of bundles. Reading is bounded: size, depth and number of nodes. Anchors, aliases and tags
are refused, so a small file cannot expand into a large value.
"""

from datetime import date
from functools import cache
from typing import Any

from edison.loops.bundles.errors import BundleRefused

LARGEST_YAML = 32_000_000
DEEPEST_YAML = 40
MOST_NODES = 1_000_000


def write_yaml(value: Any) -> bytes:
    """Texts of several lines are written as blocks, so that people can read them."""
    import yaml

    text: str = yaml.dump(
        value, Dumper=_dumper(), sort_keys=False, allow_unicode=True, width=100, indent=2
    )
    return text.encode()


def read_yaml(content: bytes, *, part: str) -> Any:
    """JSON values only. Raises BundleRefused."""
    import yaml

    if len(content) > LARGEST_YAML:
        raise BundleRefused(part, f"YAML may have {LARGEST_YAML:,} bytes.", code="too_large")
    try:
        text = content.decode()
        _check_events(text, part)
        value = yaml.load(text, Loader=_loader())  # noqa: S506 - a safe loader
    except (yaml.YAMLError, UnicodeDecodeError, ValueError, RecursionError) as wrong:
        raise BundleRefused(part, f"This is not valid YAML{_place(wrong)}.") from wrong
    _check_values(value, part)
    return value


def _check_events(text: str, part: str) -> None:
    """Before anything is built of the text. Events come one by one, without recursion."""
    import yaml

    depth = nodes = 0
    for event in yaml.parse(text, Loader=_loader()):
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) is not None:
            raise BundleRefused(part, "YAML anchors and aliases are not allowed.", code="alias")
        if getattr(event, "tag", None) is not None:
            raise BundleRefused(part, "YAML tags are not allowed.", code="tag")
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        nodes += isinstance(event, yaml.NodeEvent)
        if depth > DEEPEST_YAML:
            raise BundleRefused(
                part, f"YAML may be nested {DEEPEST_YAML} levels deep.", code="too_deep"
            )
        if nodes > MOST_NODES:
            raise BundleRefused(part, f"YAML may have {MOST_NODES:,} values.", code="too_large")


def _check_values(value: Any, part: str) -> None:
    waiting = [value]
    while waiting:
        found = waiting.pop()
        if isinstance(found, dict):
            if not all(isinstance(key, str) for key in found):
                raise BundleRefused(part, "Keys must be texts.", code="bad_key")
            waiting += found.values()
        elif isinstance(found, list):
            waiting += found
        elif isinstance(found, date | bytes | set | tuple):
            raise BundleRefused(part, "Write dates and binary values as quoted texts.")


def _place(wrong: Exception) -> str:
    mark = getattr(wrong, "problem_mark", None)
    return "" if mark is None else f": line {mark.line + 1}"


@cache
def _loader() -> Any:
    import yaml

    return getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@cache
def _dumper() -> Any:
    import yaml

    class Dumper(yaml.SafeDumper):  # type: ignore[misc]  # PyYAML has no types
        def ignore_aliases(self, data: Any) -> bool:
            return True

        def increase_indent(self, flow: bool = False, indentless: bool = False) -> Any:
            return super().increase_indent(flow, False)

    def write_text(dumper: Any, text: str) -> Any:
        style = "|" if "\n" in text else None
        return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)

    Dumper.add_representer(str, write_text)
    return Dumper
