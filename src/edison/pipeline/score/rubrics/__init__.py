"""Judge prompts, one Markdown file per kind of judge and version."""

from edison.pipeline.score.model_text import ModelText, read_model_text


def read_judge_text(name: str) -> ModelText:
    return read_model_text(__name__, name)
