"""Prompts for refiners and the wizard's assistant, one Markdown file per purpose and version."""

from edison.pipeline.score.model_text import ModelText, read_model_text


def read_request_text(name: str) -> ModelText:
    return read_model_text(__name__, name)
