"""Names of a panel's judges. A score holds them by label: the id of the judge's model, with `#2`
and so on for a repeated model.
"""

from edison.library.models.names import NamedModel


def name_judge(label: str, model: NamedModel | None) -> str:
    _, _, turn = label.partition("#")
    name = "Deleted model" if model is None else model.name
    return f"{name} #{turn}" if turn else name
