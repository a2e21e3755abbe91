#!/usr/bin/env bash
# Runs a command with TEST_CHROMIUM set to the path of a Chromium, and TEST_CHROMIUM_ARGUMENTS to how it is started. If the path is
# already set, that one is used. Installs Debian's chromium if there is none.
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
# The first two draw a list below the address bar of each new window, which nobody sees and which takes a second. The others are
# switched off by playwright, whose list this one replaces.
features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsUpgrades
features+=,HttpsFirstBalancedModeAutoEnable,MediaRouter,PaintHolding,ThirdPartyStoragePartitioning,AvoidCorsURLLoaderRestartOnRedirect
features+=,OptimizationHints,NetworkTimeServiceQuerying,AimEnabled,PreconnectToSearch
# /dev/shm is small in containers, and Chromium refuses its sandbox as root.
TEST_CHROMIUM_ARGUMENTS="--disable-dev-shm-usage --disable-features=$features"
if [ "$(id -u)" = 0 ]; then TEST_CHROMIUM_ARGUMENTS+=" --no-sandbox"; fi
export TEST_CHROMIUM TEST_CHROMIUM_ARGUMENTS
"$@"
