"""What files that leave the server are called."""

import re
import unicodedata
from urllib.parse import quote


def attachment(filename: str) -> str:
    """A header that says what to call a download; the plain name is for old browsers."""
    plain = unicodedata.normalize("NFKD", filename).encode("ascii", "ignore").decode()
    plain = re.sub(r"[^A-Za-z0-9.-]+", "-", plain).strip("-.") or "download"
    exact = quote(re.sub(r"[/\\:]", "-", filename), safe="")
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{exact}"
