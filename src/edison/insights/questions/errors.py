"""Errors that clients of judged questions distinguish."""

from edison.kit.errors import Conflict


class NoQuestionsJudged(Conflict):
    code = "NO_QUESTIONS_JUDGED"

    def __init__(self) -> None:
        super().__init__("This run asked models. Its questions were not judged.")
