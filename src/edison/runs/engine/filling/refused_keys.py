"""Keys of judges that a provider refused: whoever needs one is told so at once, without asking."""

from dataclasses import replace
from uuid import UUID

from edison.library.models.service import CallableModel
from edison.pipeline.generate.outcome import CallFailed, FailureReason
from edison.pipeline.generate.path.question import Answer
from edison.runs.engine.filling.answers import unanswered
from edison.runs.engine.filling.work import Work
from edison.workspace.credentials import service as credentials
from edison.workspace.credentials.models import Credential


class RefusedKeys:
    """Of one chunk. What other chunks found out is written at the credential; what was found out
    before the run went to work may be mended since then.
    """

    def __init__(self, work: Work) -> None:
        self._since = work.run.active_since
        self._refused: set[UUID] = set()

    def answer_for(self, model: CallableModel) -> Answer | None:
        """What asking the model would come to, if that is known."""
        credential = model.credential
        if credential.id not in self._refused and not self._is_known(credential):
            return None
        return unanswered(FailureReason.INVALID_KEY, _sentence(credential))

    def learn(self, model: CallableModel, answer: Answer) -> Answer:
        """The answer, which says whose key was refused if it was."""
        outcome = answer.outcome
        if not isinstance(outcome, CallFailed) or outcome.reason is not FailureReason.INVALID_KEY:
            return answer
        self._refused.add(model.credential.id)
        named = f"{_sentence(model.credential)} {outcome.message}"
        return replace(answer, outcome=replace(outcome, message=named))

    def _is_known(self, credential: Credential) -> bool:
        return (
            credential.failure == FailureReason.INVALID_KEY
            and credential.tested_at is not None
            and self._since is not None
            and credential.tested_at >= self._since
        )


def _sentence(credential: Credential) -> str:
    title = credentials.title_of(credential)
    return f"{title} refused the judge's key, that of the credential “{credential.label}”."
