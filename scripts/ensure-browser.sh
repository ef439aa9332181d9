#!/bin/sh
# Checks that the browser tests can run; as root on Debian installs the system packages they need.
has_chromium() {
  for browser in chromium-headless-shell chromium google-chrome; do
    command -v "$browser" >/dev/null 2>&1 && return 0
  done
  return 1
}
# Playwright brings its own Node, which needs libatomic on some processors.
has_driver() {
  .venv/bin/playwright --version >/dev/null 2>&1
}
ready() {
  has_chromium && has_driver
}

ready && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
  printf '\n== installing Chromium for the browser tests\n'
  export DEBIAN_FRONTEND=noninteractive
  has_chromium || set -- chromium fonts-dejavu-core
  apt-get update -qq && apt-get install -y -qq --no-install-recommends libatomic1 "$@"
  ready && exit 0
fi
has_chromium || echo "The browser tests need Chromium in PATH. On Debian: sudo apt-get install chromium" >&2
has_driver || echo "Playwright's driver does not start. On Debian: sudo apt-get install libatomic1" >&2
exit 1
