"""JSON Schemas of verdicts, for judges whose model follows a schema; see `verdict` for the forms.

Only what every provider's strict mode accepts: all keys required, none besides, no number ranges.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from edison.pipeline.score.rubric import Criterion

_TEXT = {"type": "string"}
_NUMBER = {"type": "number"}


def _object(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


CHOICE = _object(
    {
        "reasons": {"type": "array", "items": _TEXT},
        "winner": {"type": "string", "enum": ["A", "B", "tie"]},
    }
)
RATING = _object({"rationale": _TEXT, "score": _NUMBER})


def rubric_schema(criteria: Sequence[Criterion]) -> dict[str, Any]:
    names = [criterion.name for criterion in criteria]
    return _object(
        {
            "rationales": _object(dict.fromkeys(names, _TEXT)),
            "scores": _object(dict.fromkeys(names, _NUMBER)),
        }
    )
