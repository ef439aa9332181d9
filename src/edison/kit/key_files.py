"""Key files, readable by their owner only and listed oldest first."""

import os
import secrets
from pathlib import Path

# Tests do not wait for the disk.
sync = os.fsync


def write_key(target: Path, content: bytes) -> Path:
    """Writes the file atomically with mode 0600. Raises FileExistsError if `target` exists."""
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    unfinished = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            sync(file.fileno())
        # Unlike a rename, a link fails if the name exists.
        os.link(unfinished, target)
    finally:
        unfinished.unlink()
    _sync_folder(target.parent)
    return target


def _sync_folder(folder: Path) -> None:
    """Secrets are sealed with the key at once, so its directory entry must survive a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        sync(descriptor)
    finally:
        os.close(descriptor)


def list_keys(folder: Path) -> list[Path]:
    visible = (file for file in folder.glob("*.pem") if not file.name.startswith("."))
    return sorted(visible, key=lambda file: (file.stat().st_mtime_ns, file.name))
