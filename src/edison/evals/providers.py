"""Reads the providers of a configuration."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from edison.evals.document import plain
from edison.evals.errors import ConfigError, Place, item_places, place_of
from edison.evals.files import SCHEME, Files
from edison.evals.plan import EvalProvider


def read_providers(given: Any, files: Files, place: Place | None) -> list[EvalProvider]:
    """Raises ConfigError."""
    if not isinstance(given, list):
        raise ConfigError("“providers” must be a list.", place)
    places = item_places(given, place)
    return [each for item, at in zip(given, places, strict=True) for each in _read(item, files, at)]


def read_provider(given: Any, files: Files, place: Place | None) -> EvalProvider:
    """A single provider, such as that of a grader. Raises ConfigError."""
    found = list(_read(given, files, place))
    if len(found) != 1:
        raise ConfigError("Give one provider.", place)
    return found[0]


def _read(item: Any, files: Files, place: Place | None) -> Iterator[EvalProvider]:
    place = place_of(item) or place
    if isinstance(item, str):
        if item.startswith(SCHEME) and item.endswith((".yaml", ".yml", ".json")):
            path = files.find(item, place)
            found = files.load(path)
            for each in found if isinstance(found, list) else [found]:
                yield from _read(each, files.below(path), place)
            return
        yield EvalProvider(id=item, folder=files.folder, place=place)
        return
    if not isinstance(item, dict):
        raise ConfigError("A provider must be a text or an object.", place)
    if "id" not in item and len(item) == 1:
        (name, settings), *_ = item.items()
        item = {"id": name, **(settings if isinstance(settings, dict) else {})}
    if not isinstance(item.get("id"), str):
        raise ConfigError("A provider needs an “id”.", place)
    yield _provider(item, files, place)


def _provider(item: dict[str, Any], files: Files, place: Place | None) -> EvalProvider:
    config, prompts, env = item.get("config"), item.get("prompts"), item.get("env")
    label, transform = item.get("label"), item.get("transform")
    return EvalProvider(
        id=item["id"],
        label=label if isinstance(label, str) else None,
        config=plain(config) if isinstance(config, dict) else {},
        prompts=None if prompts is None else text_list(prompts, "prompts", place),
        transform=transform if isinstance(transform, str) else None,
        env={name: str(each) for name, each in env.items()} if isinstance(env, dict) else {},
        folder=files.folder,
        place=place,
    )


def text_list(given: Any, name: str, place: Place | None) -> Sequence[str]:
    """Raises ConfigError unless the value is a text or a list of texts."""
    items = [given] if isinstance(given, str) else given
    if not isinstance(items, list) or not all(isinstance(each, str) for each in items):
        raise ConfigError(f"“{name}” must be a list of texts.", place)
    return list(items)


def chosen_providers(
    providers: Sequence[EvalProvider], pattern: str | None
) -> Sequence[EvalProvider]:
    """Those whose id or label has the pattern in it. Raises ConfigError."""
    if pattern is None:
        return providers
    try:
        expression = re.compile(pattern)
    except re.error as wrong:
        raise ConfigError(f"--filter-providers: {wrong}.") from wrong
    found = [
        each
        for each in providers
        if expression.search(each.id) or (each.label and expression.search(each.label))
    ]
    if not found:
        names = ", ".join(each.name for each in providers)
        raise ConfigError(f"No provider fits “{pattern}”. There are: {names}.")
    return found
