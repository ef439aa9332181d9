"""Files that a configuration names: relative to its folder, inside of its repository."""

import csv
import io
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from edison.evals.document import load_document
from edison.evals.errors import ConfigError, Place
from edison.kit.lazy_dataclasses import dataclass

SCHEME = "file://"
_LARGEST = 100 * 1024 * 1024
_GLOB = "*?["


@dataclass(frozen=True, slots=True, kw_only=True)
class Files:
    """Reads files below `root` only, unless `allows_outside`. `is_confined`: the root is all that
    there is, as for an uploaded file.
    """

    folder: Path
    root: Path
    allows_outside: bool = False
    is_confined: bool = False

    @classmethod
    def of(cls, folder: Path, *, allows_outside: bool = False) -> "Files":
        folder = folder.resolve()
        found = next((each for each in (folder, *folder.parents) if (each / ".git").exists()), None)
        return cls(folder=folder, root=found or folder, allows_outside=allows_outside)

    def below(self, path: Path) -> "Files":
        """For names in another file."""
        return replace(self, folder=path.parent)

    def name(self, path: Path) -> str:
        """As shown to the user."""
        return str(path.relative_to(self.folder)) if path.is_relative_to(self.folder) else str(path)

    def find(self, reference: str, place: Place | None) -> Path:
        """Raises ConfigError when there is no such file."""
        path = self._checked((self.folder / reference.removeprefix(SCHEME)).resolve(), place)
        if not path.is_file():
            raise ConfigError(f"There is no file {reference.removeprefix(SCHEME)}.", place)
        return path

    def match(self, reference: str, place: Path | Place | None) -> Sequence[Path]:
        """The files that fit a pattern, in promptfoo's order: from Z to A."""
        pattern = reference.removeprefix(SCHEME)
        where = place if isinstance(place, Place) else None
        if not any(sign in pattern for sign in _GLOB):
            path = (self.folder / pattern).resolve()
            return [self._checked(path, where)] if path.is_file() else []
        base = Path(Path(pattern).anchor) if Path(pattern).is_absolute() else self.folder
        relative = pattern.removeprefix(Path(pattern).anchor)
        try:
            found = sorted((each.resolve() for each in base.glob(relative)), reverse=True)
        except ValueError:
            return []
        return [self._checked(each, where) for each in found if each.is_file()]

    def read_text(self, path: Path, place: Place | None) -> str:
        """Raises ConfigError."""
        try:
            if path.stat().st_size > _LARGEST:
                raise ConfigError(f"{self.name(path)} is larger than 100 MB.", place)
            return path.read_text(encoding="utf-8-sig")
        except OSError as wrong:
            message = f"{self.name(path)} cannot be read: {wrong.strerror}."
            raise ConfigError(message, place) from wrong
        except UnicodeDecodeError as wrong:
            raise ConfigError(f"{self.name(path)} is not UTF-8 text.", place) from wrong

    def read_rows(self, path: Path, place: Place | None) -> list[dict[str, str]]:
        """The rows of a CSV file. Names are trimmed, values are not. Raises ConfigError."""
        text = self.read_text(path, place)
        csv.field_size_limit(_LARGEST)
        rows: list[dict[str, str]] = []
        header: list[str] = []
        reader = csv.reader(io.StringIO(text, newline=""), strict=True)
        try:
            for cells in reader:
                at = Place(self.name(path), reader.line_num)
                if not header:
                    header = [cell.strip() for cell in cells]
                    continue
                if len(cells) != len(header):
                    message = f"The row has {len(cells)} cells and the header {len(header)}."
                    raise ConfigError(message, at)
                rows.append(dict(zip(header, cells, strict=True)))
        except csv.Error as wrong:
            at = Place(self.name(path), reader.line_num)
            raise ConfigError(f"This is not valid CSV: {wrong}.", at) from wrong
        return rows

    def load(self, path: Path) -> Any:
        """A YAML or JSON file. Raises ConfigError."""
        return load_document(path, self.name(path))

    def _checked(self, path: Path, place: Place | None) -> Path:
        if not self.allows_outside and not path.is_relative_to(self.root):
            message = (
                f"{path.name} is outside of the imported folder."
                if self.is_confined
                else f"{path} is outside of {self.root}; --allow-outside permits it."
            )
            raise ConfigError(message, place)
        return path
