#!/bin/sh
# Makes sure that the browser tests find a Chromium: root on Debian gets the system package.
installed() {
  command -v chromium >/dev/null 2>&1 || command -v google-chrome >/dev/null 2>&1
}

installed && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
  printf '\n== installing Chromium for the browser tests\n'
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core
  installed && exit 0
fi
echo "The browser tests need Chromium in PATH. On Debian: sudo apt-get install chromium" >&2
exit 1
