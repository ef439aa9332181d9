"""Zip files with the folder of a configuration, unpacked within limits."""

import zipfile
from pathlib import Path, PurePosixPath

from edison.exchange.errors import ImportRefused

MOST_FILES = 2_000
MANIFEST = "manifest.json"
_START = b"PK\x03\x04"
_BLOCK = 1 << 18


def is_zip(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(_START)) == _START


def is_bundle(path: Path) -> bool:
    """Whether the file is an Edison bundle. Raises ImportRefused for half a zip."""
    if not is_zip(path):
        return False
    with _opened(path) as archive:
        return MANIFEST in archive.namelist()


def unpack(path: Path, folder: Path, *, most_bytes: int) -> None:
    """Writes the files of the archive below the folder. Raises ImportRefused."""
    with _opened(path) as archive:
        members = [each for each in archive.infolist() if not each.is_dir()]
        if len(members) > MOST_FILES:
            raise ImportRefused(f"The archive has more than {MOST_FILES:,} files.", code="too_many")
        left = most_bytes
        for member in members:
            target = folder / _inside(member.filename)
            target.parent.mkdir(parents=True, exist_ok=True)
            left -= _copy(archive, member, target, most_bytes=left)


def _opened(path: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(path)
    except (zipfile.BadZipFile, OSError) as wrong:
        raise ImportRefused("This is not a complete zip file.", code="not_a_zip") from wrong


def _inside(name: str) -> PurePosixPath:
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or "\\" in name or "\0" in name:
        raise ImportRefused(f"The archive has the path {name[:100]!r}.", code="bad_path")
    return path


def _copy(
    archive: zipfile.ZipFile, member: zipfile.ZipInfo, target: Path, *, most_bytes: int
) -> int:
    """How many bytes were written. What the archive says about sizes is not trusted."""
    size = 0
    try:
        with archive.open(member) as source, target.open("wb") as file:
            while block := source.read(_BLOCK):
                size += len(block)
                if size > most_bytes:
                    raise ImportRefused("The archive unpacks to too much.", code="too_large")
                file.write(block)
    except (zipfile.BadZipFile, OSError, RuntimeError, NotImplementedError, EOFError) as wrong:
        message = f"{member.filename[:100]} cannot be unpacked."
        raise ImportRefused(message, code="not_a_zip") from wrong
    return size
