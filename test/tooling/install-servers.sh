#!/usr/bin/env bash
# Installs what some tests need and npm has not: redis-server, for replicas and Clusters, and spin, for
# the model. Where that cannot be done, those tests say so and are left out.
set -uo pipefail

missing=()
for name in redis-server spin; do
  command -v "$name" >/dev/null || missing+=("$name")
done
if [ ${#missing[@]} -eq 0 ]; then exit 0; fi
if ! command -v apt-get >/dev/null || [ "$(id -u)" -ne 0 ]; then
  echo "Not installed: ${missing[*]}. That takes apt-get, and root."
  exit 0
fi

# A package of a server starts it, unless this says that it must not.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  printf '#!/bin/sh\nexit 101\n' >"$policy" && chmod +x "$policy"
  trap 'rm -f "$policy"' EXIT
fi
export DEBIAN_FRONTEND=noninteractive
{ apt-get update -qq && apt-get install -y -qq --no-install-recommends "${missing[@]}"; } \
  >/dev/null 2>&1 || echo "Not installed: ${missing[*]}. apt-get could not."
exit 0
