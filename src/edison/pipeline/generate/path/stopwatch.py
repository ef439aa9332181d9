"""How long a call waited, in all and for which reason."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from edison.pipeline.generate.path.ports import Observer


class Stopwatch:
    def __init__(self, provider: str, observer: Observer, clock: Callable[[], float]) -> None:
        self._provider = provider
        self._observer = observer
        self._clock = clock
        self._reason: str | None = None
        self._since = 0.0
        self.total_seconds = 0.0

    def begin(self, reason: str) -> None:
        """A wait begins; the one before it, if any, is over."""
        self.end()
        self._reason = reason
        self._since = self._clock()

    def end(self) -> None:
        if self._reason is None:
            return
        seconds = self._clock() - self._since
        self.total_seconds += seconds
        self._observer.waited(provider=self._provider, reason=self._reason, seconds=seconds)
        self._reason = None

    @contextmanager
    def timing(self, reason: str) -> Iterator[None]:
        self.begin(reason)
        try:
            yield
        finally:
            self.end()
