"""What a provider is asked: which model, with which prompt and parameters, and until when."""

from dataclasses import dataclass, fields, replace

from edison.pipeline.render.prompt import RenderedPrompt


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameters:
    """How to sample. None leaves the choice to the provider."""

    temperature: float | None = None
    max_tokens: int | None = None
    top_p: float | None = None
    frequency_penalty: float | None = None
    presence_penalty: float | None = None
    stop: tuple[str, ...] | None = None
    seed: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Capabilities:
    """What a model accepts. What it refuses or ignores is never sent."""

    temperature: bool = True
    top_p: bool = True
    frequency_penalty: bool = True
    presence_penalty: bool = True
    stop: bool = True
    seed: bool = True
    json_output: bool = True
    tools: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    model: str
    prompt: RenderedPrompt
    parameters: Parameters = Parameters()
    capabilities: Capabilities = Capabilities()
    timeout_seconds: float = 60

    def sendable(self) -> tuple[Parameters, tuple[str, ...]]:
        """The parameters the model accepts, and the names of those it would not have."""
        ignored = tuple(
            field.name
            for field in fields(Parameters)
            if getattr(self.parameters, field.name) is not None
            and not getattr(self.capabilities, field.name, True)
        )
        return replace(self.parameters, **dict.fromkeys(ignored)), ignored
