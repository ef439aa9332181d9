"""NumPy as `np`, imported when the first of its functions is used: it takes a twentieth of a start,
and only statistics need it.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
else:

    class _Numpy:
        def __getattr__(self, name: str) -> Any:
            import numpy  # noqa: PLC0415 - on use

            value = getattr(numpy, name)
            setattr(self, name, value)
            return value

    np = _Numpy()
    # Only type checkers need it.
    NDArray = None

__all__ = ["NDArray", "np"]
