"""The protocols of the billing provider: where a request holds its prompt and its limit, and the
format of answers, events and usage.
"""

import json
from abc import abstractmethod
from typing import Any, ClassVar

from tests.fake_providers import anthropic, bedrock, ollama, openai, vertex
from tests.fake_providers.scripted_server import Stream

NO_USAGE: Any = object()


class Dialect:
    """Usage is what `usage_of` returns, nonsense, or `NO_USAGE` for an answer without any."""

    stream_type = "text/event-stream"
    # Some adapters must first obtain a token, which is not billed.
    unbilled: ClassVar[dict[str, Any]] = {}

    def is_streamed(self, path: str, body: Any) -> bool:
        return bool(body.get("stream"))

    @abstractmethod
    def prompt_words(self, body: Any) -> int: ...

    @abstractmethod
    def max_tokens(self, body: Any) -> int | None: ...

    @abstractmethod
    def usage_of(self, input_tokens: Any, output_tokens: Any) -> dict[str, Any]: ...

    @abstractmethod
    def whole(self, text: str, usage: Any) -> Any:
        """The document of a complete answer."""

    @abstractmethod
    def without_text(self, usage: Any) -> Any:
        """A document with usage but no answer."""

    @abstractmethod
    def pieces(self, texts: list[str], usage: Any) -> list[bytes]:
        """The streamed answer."""

    @abstractmethod
    def pieces_without_text(self, usage: Any) -> list[bytes]: ...

    @abstractmethod
    def error_piece(self) -> bytes: ...


def _words(texts: Any) -> int:
    return sum(len(text.split()) for text in texts)


def _counted(document: dict[str, Any], field: str, usage: Any) -> dict[str, Any]:
    kept = {name: value for name, value in document.items() if name != field}
    return kept if usage is NO_USAGE else {**kept, field: usage}


class ChatCompletions(Dialect):
    """OpenAI, Azure, and servers compatible with them."""

    def prompt_words(self, body: Any) -> int:
        return _words(message["content"] for message in body["messages"])

    def max_tokens(self, body: Any) -> int | None:
        found: int | None = body.get("max_tokens", body.get("max_completion_tokens"))
        return found

    def usage_of(self, input_tokens: Any, output_tokens: Any) -> dict[str, Any]:
        total = input_tokens + output_tokens if isinstance(input_tokens, int) else 0
        return {
            "prompt_tokens": input_tokens,
            "completion_tokens": output_tokens,
            "total_tokens": total,
        }

    def whole(self, text: str, usage: Any) -> Any:
        return _counted(openai.completion(text).body, "usage", usage)

    def without_text(self, usage: Any) -> Any:
        return {**self.whole("", usage), "choices": []}

    def pieces(self, texts: list[str], usage: Any) -> list[bytes]:
        stream = openai.text_stream(*texts, usage=None).pieces
        *before, done = stream
        return [*before, *self._usage_piece(usage), done]

    def _usage_piece(self, usage: Any) -> list[bytes]:
        return [] if usage is NO_USAGE else [openai.chunk(usage=usage)]

    def pieces_without_text(self, usage: Any) -> list[bytes]:
        return [*self._usage_piece(usage), openai.DONE]

    def error_piece(self) -> bytes:
        return b'data: {"error": {"message": "died", "code": 500}}\n\n'


class Messages(Dialect):
    """Anthropic. The input is counted in the first event, the output in the last but one."""

    def prompt_words(self, body: Any) -> int:
        return _words(
            part["text"] if isinstance(part, dict) else part
            for message in body["messages"]
            for part in (
                message["content"] if isinstance(message["content"], list) else [message["content"]]
            )
        )

    def max_tokens(self, body: Any) -> int | None:
        found: int | None = body.get("max_tokens")
        return found

    def usage_of(self, input_tokens: Any, output_tokens: Any) -> dict[str, Any]:
        return {"input_tokens": input_tokens, "output_tokens": output_tokens}

    def whole(self, text: str, usage: Any) -> Any:
        return _counted(anthropic.message({"type": "text", "text": text}).body, "usage", usage)

    def without_text(self, usage: Any) -> Any:
        return {**self.whole("", usage), "content": []}

    def pieces(self, texts: list[str], usage: Any) -> list[bytes]:
        return [
            self._start(usage),
            anthropic.TEXT_START,
            *[anthropic.text_delta(text) for text in texts],
            anthropic.event("content_block_stop", index=0),
            *self._end(usage),
        ]

    def _start(self, usage: Any) -> bytes:
        begun = {"output_tokens": 1} if isinstance(usage, dict) else {}
        shown = {**usage, **begun} if isinstance(usage, dict) else usage
        message = {**self.without_text(shown), "stop_reason": None}
        return anthropic.event("message_start", message=message)

    def _end(self, usage: Any) -> list[bytes]:
        delta = {"stop_reason": "end_turn", "stop_sequence": None}
        last = _counted({"delta": delta}, "usage", usage)
        return [anthropic.event("message_delta", **last), anthropic.event("message_stop")]

    def pieces_without_text(self, usage: Any) -> list[bytes]:
        return [self._start(usage), *self._end(usage)]

    def error_piece(self) -> bytes:
        return anthropic.event("error", error={"type": "api_error", "message": "died"})


class Gemini(Dialect):
    """Vertex AI, which first requires a token for the service account."""

    unbilled: ClassVar[dict[str, Any]] = {"/token": vertex.TOKEN_ANSWER.body}

    def is_streamed(self, path: str, body: Any) -> bool:
        return "streamGenerateContent" in path

    def prompt_words(self, body: Any) -> int:
        return _words(part["text"] for turn in body["contents"] for part in turn["parts"])

    def max_tokens(self, body: Any) -> int | None:
        found: int | None = body.get("generationConfig", {}).get("maxOutputTokens")
        return found

    def usage_of(self, input_tokens: Any, output_tokens: Any) -> dict[str, Any]:
        return {"promptTokenCount": input_tokens, "candidatesTokenCount": output_tokens}

    def whole(self, text: str, usage: Any) -> Any:
        return _counted(vertex.document({"text": text}), "usageMetadata", usage)

    def without_text(self, usage: Any) -> Any:
        return {**self.whole("", usage), "candidates": []}

    def pieces(self, texts: list[str], usage: Any) -> list[bytes]:
        *first, last = texts
        begun = [
            vertex.chunk(vertex.document({"text": text}, finish_reason=None)) for text in first
        ]
        return [*begun, vertex.chunk(self.whole(last, usage))]

    def pieces_without_text(self, usage: Any) -> list[bytes]:
        return [vertex.chunk(self.without_text(usage))]

    def error_piece(self) -> bytes:
        return vertex.chunk({"error": {"code": 500, "message": "died", "status": "INTERNAL"}})


class Converse(Dialect):
    """Bedrock, whose event stream is binary."""

    stream_type = "application/vnd.amazon.eventstream"

    def is_streamed(self, path: str, body: Any) -> bool:
        return path.endswith("/converse-stream")

    def prompt_words(self, body: Any) -> int:
        return _words(part["text"] for turn in body["messages"] for part in turn["content"])

    def max_tokens(self, body: Any) -> int | None:
        found: int | None = body.get("inferenceConfig", {}).get("maxTokens")
        return found

    def usage_of(self, input_tokens: Any, output_tokens: Any) -> dict[str, Any]:
        total = input_tokens + output_tokens if isinstance(input_tokens, int) else 0
        return {"inputTokens": input_tokens, "outputTokens": output_tokens, "totalTokens": total}

    def whole(self, text: str, usage: Any) -> Any:
        return _counted(bedrock.answer({"text": text}).body, "usage", usage)

    def without_text(self, usage: Any) -> Any:
        return {
            **self.whole("", usage),
            "output": {"message": {"role": "assistant", "content": []}},
        }

    def pieces(self, texts: list[str], usage: Any) -> list[bytes]:
        stop = bedrock.event("contentBlockStop", {"contentBlockIndex": 0})
        return [*bedrock.begun(*texts), stop, *self._end(usage)]

    def _end(self, usage: Any) -> list[bytes]:
        metadata = _counted({"metrics": {"latencyMs": 12}}, "usage", usage)
        return [
            bedrock.event("messageStop", {"stopReason": "end_turn"}),
            bedrock.event("metadata", metadata),
        ]

    def pieces_without_text(self, usage: Any) -> list[bytes]:
        return [*bedrock.begun(), *self._end(usage)]

    def error_piece(self) -> bytes:
        return bedrock.event(
            "internalServerException", {"message": "died"}, message_type="exception"
        )


class OllamaChat(Dialect):
    stream_type = "application/x-ndjson"

    def prompt_words(self, body: Any) -> int:
        return _words(message["content"] for message in body["messages"])

    def max_tokens(self, body: Any) -> int | None:
        found: int | None = body.get("options", {}).get("num_predict")
        return found

    def usage_of(self, input_tokens: Any, output_tokens: Any) -> dict[str, Any]:
        return {"prompt_eval_count": input_tokens, "eval_count": output_tokens}

    def _end(self, usage: Any) -> dict[str, Any]:
        counts = usage if isinstance(usage, dict) else {}
        kept = {
            name: value for name, value in ollama.END.items() if not name.endswith("eval_count")
        }
        return {**kept, **counts}

    def whole(self, text: str, usage: Any) -> Any:
        return ollama.document(text, **self._end(usage))

    def without_text(self, usage: Any) -> Any:
        document = self.whole("", usage)
        del document["message"]
        return document

    def pieces(self, texts: list[str], usage: Any) -> list[bytes]:
        found: Stream = ollama.stream(*texts, end=self._end(usage))
        return found.pieces

    def pieces_without_text(self, usage: Any) -> list[bytes]:
        return [ollama.line(self.without_text(usage))]

    def error_piece(self) -> bytes:
        return json.dumps({"error": "died"}).encode() + b"\n"
