#!/bin/sh
# Exits with a message if the given Python cannot create Edison's virtualenv.
python=$1
say() { printf '%s\n' "$*" >&2; exit 1; }

command -v "$python" >/dev/null 2>&1 || say "No $python here: install Python 3.11 or newer, or say make PYTHON=/path/to/python."
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
  say "Edison needs Python 3.11 or newer; $python is $("$python" -V 2>&1). Say make PYTHON=python3.11, for example."
"$python" -c 'import ensurepip, venv' 2>/dev/null ||
  say "This Python cannot make virtualenvs. On Debian and Ubuntu: apt-get install python3-venv"
