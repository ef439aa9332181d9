"""Request to a provider: model, prompt, parameters and timeout."""

from dataclasses import fields, replace
from functools import lru_cache

from edison.kit.fast_frozen import fast_frozen
from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.render.prompt import RenderedPrompt


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameters:
    """Sampling parameters. None leaves the choice to the provider."""

    temperature: float | None = None
    max_tokens: int | None = None
    top_p: float | None = None
    frequency_penalty: float | None = None
    presence_penalty: float | None = None
    stop: tuple[str, ...] | None = None
    seed: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Capabilities:
    """Parameters and features a model accepts. Anything else is never sent."""

    temperature: bool = True
    top_p: bool = True
    frequency_penalty: bool = True
    presence_penalty: bool = True
    stop: bool = True
    seed: bool = True
    json_output: bool = True
    tools: bool = True
    # Off unless known: servers refuse calls with a schema that they do not support.
    json_schema: bool = False

    def refused(self, parameters: Parameters) -> tuple[str, ...]:
        """Names of parameters that are set but not accepted."""
        return tuple(
            name
            for name in _REFUSABLE
            if getattr(parameters, name) is not None and not getattr(self, name)
        )


_REFUSABLE = tuple(
    field.name for field in fields(Parameters) if field.name in Capabilities.__slots__
)


# A run makes thousands of calls with a few of these pairs.
@lru_cache(maxsize=256)
def _accepted(
    parameters: Parameters, capabilities: Capabilities
) -> tuple[Parameters, tuple[str, ...]]:
    """The parameters without those that the model refuses, and the names of these."""
    refused = capabilities.refused(parameters)
    return replace(parameters, **dict.fromkeys(refused)), refused


@fast_frozen
@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    model: str
    prompt: RenderedPrompt
    parameters: Parameters = Parameters()
    capabilities: Capabilities = Capabilities()
    timeout_seconds: float = 60

    @property
    def sends_schema(self) -> bool:
        return self.prompt.json_schema is not None and self.capabilities.json_schema

    @property
    def sends_json(self) -> bool:
        """Whether JSON is asked for, with or without a schema."""
        return self.sends_schema or (self.prompt.wants_json and self.capabilities.json_output)

    @property
    def sends_tools(self) -> bool:
        return bool(self.prompt.tools) and self.capabilities.tools

    def sendable(self) -> tuple[Parameters, tuple[str, ...]]:
        """Returns the parameters the model accepts, and the names of all it does not, including
        `json_output` and `tools`.
        """
        accepted, ignored = _accepted(self.parameters, self.capabilities)
        if self.prompt.wants_json and not self.sends_json:
            ignored += ("json_output",)
        if self.prompt.tools and not self.capabilities.tools:
            ignored += ("tools",)
        return accepted, ignored
