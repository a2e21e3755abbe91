#!/usr/bin/env bash
# Runs a command with TEST_CHROMIUM set to the path of a Chromium. If it is already set, that one is used. Installs Debian's
# chromium if there is none.
set -euo pipefail

say() { echo "with-chromium: $*" >&2; }
find_browser() {
  if [ -n "${TEST_CHROMIUM:-}" ]; then echo "$TEST_CHROMIUM"; return; fi
  command -v chromium || command -v chromium-browser || command -v google-chrome || true
}
# Debian's chromium has no font of its own, and text without a font has no size.
install_browser() { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends chromium fonts-dejavu-core; }

if [ -z "$(find_browser)" ]; then
  say "installing Debian's chromium"
  log=$(mktemp)
  if ! install_browser >"$log" 2>&1; then
    tail -n 5 "$log" >&2
    rm -f "$log"
    say "there is no Chromium, and apt-get could not install it: install it, or set TEST_CHROMIUM to its path"
    exit 1
  fi
  rm -f "$log"
fi

TEST_CHROMIUM=$(find_browser)
if [ ! -x "$TEST_CHROMIUM" ]; then
  say "TEST_CHROMIUM names no program: '$TEST_CHROMIUM'"
  exit 1
fi
export TEST_CHROMIUM
"$@"
