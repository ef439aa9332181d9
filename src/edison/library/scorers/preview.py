"""Preview of the prompt that a judge gets for a rubric: runs a judge and captures its call."""

from uuid import UUID

from edison.kit.errors import Unavailable
from edison.library.scorers.criteria import check_criteria
from edison.library.scorers.schemas.rubrics import RubricPreviewRead, RubricPreviewRequest
from edison.pipeline.generate.call import Parameters
from edison.pipeline.generate.path.question import Answer
from edison.pipeline.render.prompt import RenderedPrompt
from edison.pipeline.score.registry import open_scorer
from edison.pipeline.score.scorer import Subject

_NO_MODEL = UUID(int=0)
_SUBJECT = Subject(
    text="[the answer that is scored]",
    expected="[the expected answer of the case, if it has one]",
    inputs={"[variable]": "[its value in the case]"},
)


class _HeardEnough(Exception):
    def __init__(self, prompt: RenderedPrompt) -> None:
        super().__init__("The question is all that was wanted.")
        self.prompt = prompt


class _Listener:
    async def ask(self, model_id: UUID, prompt: RenderedPrompt, parameters: Parameters) -> Answer:
        raise _HeardEnough(prompt)


async def preview_rubric(wanted: RubricPreviewRequest) -> RubricPreviewRead:
    """Raises Invalid when the rubric could not be saved either."""
    criteria = check_criteria(wanted.criteria).as_json()
    judge = open_scorer(
        "judge", {"model_id": str(_NO_MODEL), "goal": wanted.goal, "criteria": criteria}
    )
    try:
        await judge.score(_SUBJECT, _Listener())
    except _HeardEnough as heard:
        question = "\n\n".join(message.text for message in heard.prompt.messages)
        return RubricPreviewRead(system=heard.prompt.system or "", question=question)
    raise Unavailable("The judge did not say what it would ask.")
