"""Token counts of texts and prompts, for estimates, reservations and editors.

The first count loads a rank file, which takes about half a second; call it in a thread.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Literal

import orjson

from edison.kit.fast_frozen import fast_frozen
from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.generate import catalog
from edison.pipeline.generate.tokens.encodings import (
    EncodingName,
    count_encoded,
    split_at_lines,
    without_digits,
)
from edison.pipeline.generate.tokens.scheme import Encoding, TokenScheme
from edison.pipeline.render.prompt import RenderedPrompt, ToolDefinition

# OpenAI's documented chat format: three tokens and the role per message, and three before the
# answer.
TOKENS_PER_MESSAGE = 4
TOKENS_BEFORE_ANSWER = 3
# Providers rewrite tools in an undocumented form. The estimate must not be too low, because budgets
# reserve it.
TOKENS_AROUND_TOOLS = 12

_CHARACTERS_PER_TOKEN = 4
_REMEMBERED_CHARACTERS = 8_000
# Counted as quickly as its parts are looked up.
_SHORT_CHARACTERS = 200


@fast_frozen
@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    tokens: int
    method: Literal["exact", "estimate"]
    encoding: Encoding


def count(text: str, *, model: str, provider: str) -> Count:
    """Tokens of a bare text, without the overhead of a conversation."""
    scheme = catalog.load_provider(provider).token_scheme(model)
    tokens, is_exact = _count(text, scheme)
    return _counted(tokens, scheme, is_exact=is_exact)


def count_prompt(prompt: RenderedPrompt, *, model: str, provider: str) -> Count:
    """Tokens of everything that is sent: system text, messages, tools and separators."""
    scheme = catalog.load_provider(provider).token_scheme(model)
    texts = [message.text for message in prompt.messages]
    if prompt.system:
        texts.append(prompt.system)
    tokens, is_exact = TOKENS_BEFORE_ANSWER + TOKENS_PER_MESSAGE * len(texts), True
    if prompt.tools:
        texts += map(tool_text, prompt.tools)
        tokens, is_exact = tokens + TOKENS_AROUND_TOOLS, False
    if prompt.json_schema is not None:
        texts.append(schema_text(prompt.json_schema))
        tokens, is_exact = tokens + TOKENS_AROUND_TOOLS, False
    for text in texts:
        more, is_clean = _count(text, scheme)
        tokens, is_exact = tokens + more, is_exact and is_clean
    return _counted(tokens, scheme, is_exact=is_exact)


def _count(text: str, scheme: TokenScheme) -> tuple[int, bool]:
    if scheme.encoding == "four_characters":
        return -(-len(text) // _CHARACTERS_PER_TOKEN), True
    if len(text) > _REMEMBERED_CHARACTERS:
        return count_encoded(text, scheme.encoding)
    text = without_digits(text)
    if len(text) <= _SHORT_CHARACTERS:
        return _count_remembered(text, scheme.encoding)
    return _count_lines(text, scheme.encoding), True


# A run sends the same paragraphs with every case, and judges are asked with the same instructions.
_count_remembered = lru_cache(maxsize=4096)(count_encoded)


# System texts recur as a whole.
@lru_cache(maxsize=256)
def _count_lines(text: str, encoding: EncodingName) -> int:
    return sum([_count_remembered(line, encoding)[0] for line in split_at_lines(text)])


def _counted(tokens: int, scheme: TokenScheme, *, is_exact: bool) -> Count:
    return Count(
        tokens=-(-tokens * scheme.percent // 100),
        method="exact" if is_exact and scheme.is_exact else "estimate",
        encoding=scheme.encoding,
    )


def schema_text(schema: Mapping[str, Any]) -> str:
    return orjson.dumps(schema).decode()


def tool_text(tool: ToolDefinition) -> str:
    """The text to count for a tool: its JSON, which is longer than what providers generate
    from it.
    """
    definition = {
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.parameters,
    }
    return orjson.dumps(definition).decode()
