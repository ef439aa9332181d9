#!/bin/sh
# Evaluates a configuration in CI and writes results.json, results.md and results.junit.xml.
#
#   evaluate.sh OUTPUT_FOLDER [flags of `edison eval`]
#
# EDISON_CI_BASELINE names a results.json to compare with; a file that does not exist yet is left
# out, as in the first run of a branch. EDISON_CI_FAIL_ON is the --fail-on of a comparison.
# Ends with the exit code of `edison eval`.
set -eu
folder=$1
shift
mkdir -p "$folder"
if [ -n "${EDISON_CI_BASELINE:-}" ] && [ -f "$EDISON_CI_BASELINE" ]; then
  set -- "$@" --baseline "$EDISON_CI_BASELINE" --fail-on "${EDISON_CI_FAIL_ON:-regression}"
elif [ -n "${EDISON_CI_BASELINE:-}" ]; then
  echo "There is no baseline yet at $EDISON_CI_BASELINE: nothing is compared."
fi
exec edison eval --no-table "$@" \
  -o "$folder/results.json" -o "$folder/results.md" -o "$folder/results.junit.xml"
