"""Keys as files that only their owner can read, oldest first."""

import os
from pathlib import Path


def write_key(target: Path, content: bytes) -> Path:
    """Never overwrites, and is unreadable for others from its first moment."""
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
    return target


def list_keys(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.pem"), key=lambda file: (file.stat().st_mtime_ns, file.name))
