"""Where the OpenAPI document lies that was made when Edison was built; making it takes seconds.

The file is named after the sources that it describes, so a document of other sources is never used.
Scripts of the build import this too, so it needs only the standard library.
"""

import hashlib
from pathlib import Path

SOURCES = Path(__file__).parents[1]
FOLDER = Path(__file__).parent
# Generated from the document.
TYPED_CLIENT = SOURCES / "sdk" / "api.py"


def fingerprint_sources() -> str:
    """Hashes names and contents of Edison's modules."""
    digest = hashlib.sha256()
    for path in sorted(SOURCES.rglob("*.py")):
        if path != TYPED_CLIENT:
            content = hashlib.sha256(path.read_bytes()).hexdigest()
            digest.update(f"{path.relative_to(SOURCES).as_posix()} {content}\n".encode())
    return digest.hexdigest()


def openapi_file() -> Path:
    """The file for the current sources, written or not."""
    return FOLDER / f"openapi-{fingerprint_sources()[:16]}.json"
