"""Parses server-sent events of a finished response."""

import json
from typing import Any


def read_events(text: str) -> list[tuple[str, dict[str, Any]]]:
    """Kinds and data, in order, without comments."""
    events = []
    for block in text.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.split("\n") if line and line[0] != ":")
        if fields:
            events.append((fields["event"], json.loads(fields["data"])))
    return events
