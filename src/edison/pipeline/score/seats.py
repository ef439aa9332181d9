"""Seats of a panel of judges. A score holds its judges by the label of their seat: the id of the
judge's model, with `#2` and so on for a repeated model.
"""

from uuid import UUID


def take_seats(judges: tuple[UUID, ...]) -> dict[str, tuple[UUID, int]]:
    """Maps each judge's label to its model and the number of earlier seats of that model, so that a
    label means the same judge in every score.
    """
    seats: dict[str, tuple[UUID, int]] = {}
    for at, model_id in enumerate(judges):
        turn = judges[:at].count(model_id)
        label = f"{model_id}#{turn + 1}" if turn else str(model_id)
        seats[label] = (model_id, turn)
    return seats


def name_seat(label: str, model: str | None) -> str:
    """The name of a judge whose model has this name; None if it was deleted."""
    _, _, turn = label.partition("#")
    name = model or "Deleted model"
    return f"{name} #{turn}" if turn else name
