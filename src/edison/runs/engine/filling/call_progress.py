"""Whether calls wait or are on their way, as whoever fills a chunk has to know."""

from edison.pipeline.generate.path.ports import Waiting
from edison.runs.engine.filling.waits import Waits


class CallProgress:
    """Whether calls of a cell or score are under way, which a pause has to know. A judge's call
    reports for itself, since several may be on their way at the same time.
    """

    def __init__(self, waits: Waits, variant: int) -> None:
        self._waits = waits
        self._variant = variant
        self._calls: set[OneCall] = set()
        # Something was answered, or is being stored, and nothing waits again since then.
        self._is_at_hand = False

    @property
    def is_under_way(self) -> bool:
        return self._is_at_hand or bool(self._calls)

    def keep(self) -> None:
        """What was paid for is stored, whatever happens to the run meanwhile."""
        self._is_at_hand = True

    def waits(self, waiting: Waiting) -> None:
        self._is_at_hand = False
        self._waits.note(self._variant, waiting)

    def leaves(self) -> None:
        self._is_at_hand = True
        self._waits.clear(self._variant)

    def begin_call(self) -> "OneCall":
        return OneCall(self, self._calls)


class OneCall:
    """The progress of one call out of several."""

    def __init__(self, whole: CallProgress, under_way: "set[OneCall]") -> None:
        self._whole = whole
        self._under_way = under_way

    def waits(self, waiting: Waiting) -> None:
        self._under_way.discard(self)
        self._whole.waits(waiting)

    def leaves(self) -> None:
        self._under_way.add(self)
        self._whole.leaves()

    def ends(self) -> None:
        self._under_way.discard(self)
