#!/usr/bin/env bash
# Runs a command with everything the registry suites need: the private container engine of with-docker.sh, Debian's
# docker-registry, and the clients skopeo and podman. Installs what is missing, and starts no services.
set -euo pipefail
export ALM_TEST_PACKAGES='skopeo podman'
exec bash "$(dirname "$0")/with-docker.sh" "$@"
