#!/usr/bin/env bash
# Print the path of a Chromium for the browser tests: $CHROMIUM, one on PATH, or one installed now where apt-get may.
set -euo pipefail

find_chromium() {
    local name
    for name in "${CHROMIUM:-}" chromium chromium-browser google-chrome google-chrome-stable; do
        if [[ -n $name ]] && command -v "$name"; then return; fi
    done
    return 1
}

find_chromium && exit

as_root=()
[[ $(id -u) == 0 ]] || as_root=(sudo -n)
if command -v apt-get >/dev/null && "${as_root[@]}" true 2>/dev/null; then
    {
        "${as_root[@]}" apt-get update -q
        "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
            apt-get install -q -y --no-install-recommends chromium fonts-dejavu-core
    } >&2 </dev/null
    find_chromium && exit
fi

echo "The browser tests need Chromium: install it, or set CHROMIUM to the path of a Chromium or Chrome." >&2
exit 1
