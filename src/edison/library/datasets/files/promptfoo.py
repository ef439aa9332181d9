"""Mapping of promptfoo's special columns.

`__expected`, `__expected1` … hold assertions. Plain text and `equals:` are the expected answer. Any
other kind (`contains:`, `llm-rubric:` …) is a check that a case cannot hold; it is kept in the
notes, so that it can be turned into a scorer.
"""

import re

_EXPECTED = re.compile(r"__expected\d*")
_KIND = re.compile(
    r"(?:not-)?(?:answer-relevance|bleu|classifier|contains(?:-all|-any|-json|-html|-sql|-xml)?"
    r"|context-(?:faithfulness|recall|relevance)|conversation-relevance|cost|equals|factuality"
    r"|finish-reason|g-eval|gleu|guardrails|html|icontains(?:-all|-any)?|is-(?:html|json|refusal|sql"
    r"|valid-[\w-]+|xml)|latency|levenshtein|llm-rubric|meteor|model-graded-[\w-]+|moderation"
    r"|perplexity(?:-score)?|pi|python|javascript|regex|rouge-n|ruby|search-rubric|select-best"
    r"|similar(?::\w+)?|starts-with|tool-call-f1|trace-[\w-]+|webhook|word-count|fn|eval|grade)"
    r"(?:\(\d+(?:\.\d+)?\))?(?::|$)"
)
METADATA = "__metadata:"
NOTES = ("__description",)
# Settings for generating or scoring, which a case has no field for.
_IGNORED = ("__prefix", "__suffix", "__provideroutput", "__metric", "__threshold")


def is_assertion_column(name: str) -> bool:
    return _EXPECTED.fullmatch(name.lower()) is not None


def is_ignored_column(name: str) -> bool:
    return name.lower() in _IGNORED or name.lower().startswith("__config:")


def read_assertion(text: str) -> tuple[str | None, str | None]:
    """The expected answer, or else a check for the notes."""
    text = text.strip()
    kind = _KIND.match(text)
    if not text or kind is None:
        return text or None, None
    if kind[0] == "equals:":
        return text.removeprefix("equals:").strip(), None
    return None, f"promptfoo check: {text}"
