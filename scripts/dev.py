"""Runs the back end with reload and Vite's server, until one of them ends.

Open the address that Vite prints; it proxies /api and /docs to the back end.
"""

import os
import subprocess
import sys
from pathlib import Path

import uvicorn

ROOT = Path(__file__).resolve().parents[1]


def main() -> None:
    os.environ.setdefault("EDISON_DATA_DIR", str(ROOT / "data"))
    subprocess.run([Path(sys.executable).with_name("edison"), "db", "upgrade"], check=True)
    vite = [sys.executable, str(ROOT / "scripts" / "frontend.py"), "npm", "run", "dev"]
    with subprocess.Popen(vite) as ui:
        try:
            uvicorn.run(
                "edison.app.main:create_configured_app",
                factory=True,
                port=8000,
                reload=True,
                reload_dirs=[str(ROOT / "src")],
                proxy_headers=False,
            )
        finally:
            ui.terminate()


if __name__ == "__main__":
    main()
