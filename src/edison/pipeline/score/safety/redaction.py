"""Removes personal data from answers before they are stored.

Redaction happens at the end of a call (`generate.path.call_path`), so the answer cache, outputs,
events, judges and scorers never see the removed text. Only the kinds and their number remain.
"""

import json
from dataclasses import asdict, replace
from typing import Any

from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.generate.outcome import Completion, ToolCall
from edison.pipeline.generate.path.question import Redaction
from edison.pipeline.score.long_text import search
from edison.pipeline.score.safety.findings import SafetyFinding, redact
from edison.pipeline.score.safety.pii import PiiOptions, find_pii

_MOST_KINDS = 1_000


def redaction_of(wanted: PiiOptions) -> Redaction:
    return Redaction(
        name=json.dumps(asdict(wanted), sort_keys=True), apply=_Redactor(wanted=wanted).apply
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Redactor:
    wanted: PiiOptions

    async def apply(self, completion: Completion) -> Completion:
        length = len(completion.text) + sum(len(call.arguments) for call in completion.tool_calls)
        return await search(length, self._redacted, completion)

    def _redacted(self, completion: Completion) -> Completion:
        found = find_pii(completion.text, self.wanted)
        calls, kinds = [], [each.kind for each in found]
        for call in completion.tool_calls:
            in_call = find_pii(call.arguments, self.wanted)
            kinds += [each.kind for each in in_call]
            calls.append(_without(call, in_call))
        if not kinds:
            return completion
        return replace(
            completion,
            text=redact(completion.text, found),
            tool_calls=tuple(calls),
            redacted=tuple(kinds[:_MOST_KINDS]),
        )


def _without(call: ToolCall, found: list[SafetyFinding]) -> ToolCall:
    return replace(call, arguments=redact(call.arguments, found)) if found else call


def wanted_of(stored: dict[str, Any]) -> PiiOptions:
    """Restores `Wanted` from JSON, which has no tuples."""
    return PiiOptions(
        kinds=tuple(stored["kinds"]),
        region=stored["region"],
        countries=tuple(stored["countries"]),
        allowed=tuple(stored["allowed"]),
    )
