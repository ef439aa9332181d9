"""Wraps the tools of scorers and comparers to sum costs and record exceptions."""

from uuid import UUID

from edison.pipeline.generate.call import Parameters
from edison.pipeline.generate.path.question import Answer
from edison.pipeline.render.prompt import RenderedPrompt
from edison.pipeline.score.scorer import Tools


class MeteredTools:
    """Records the exceptions that the tools raised, to distinguish them from failures of the
    scorer, and sums the cost of their answers, which is charged in any case.
    """

    def __init__(self, tools: Tools) -> None:
        self._tools = tools
        self._raised: list[Exception] = []
        self.cost_nanos: int | None = 0

    def have_raised(self, error: Exception) -> bool:
        return any(error is each for each in self._raised)

    async def ask(self, model_id: UUID, prompt: RenderedPrompt, parameters: Parameters) -> Answer:
        try:
            answer = await self._tools.ask(model_id, prompt, parameters)
        except Exception as error:
            self._raised.append(error)
            raise
        if self.cost_nanos is None or answer.cost_nanos is None:
            self.cost_nanos = None
        else:
            self.cost_nanos += answer.cost_nanos
        return answer
