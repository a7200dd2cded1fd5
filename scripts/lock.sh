#!/usr/bin/env bash
# Rewrite requirements.txt and requirements-dev.txt from the ranges in pyproject.toml. Versions already pinned stay
# unless --upgrade is given. Run on Python 3.11, the oldest supported version.
set -euo pipefail
cd "$(dirname "$0")/.."

.venv/bin/pip install --quiet pip-tools

compile() {
    .venv/bin/pip-compile --quiet --allow-unsafe --strip-extras --no-header --no-emit-options "$@" pyproject.toml
}

pin() {  # a pin must fit PyTorch's CPU and CUDA builds alike, so the build's suffix goes; pip is the environment's own
    sed -i -e 's/^\(torch==[0-9.]*\)+.*/\1/' -e '/^# The following packages are considered/d' \
        -e '/^pip==/,/# via/d' "$1"
}

compile --output-file requirements.txt "$@"
pin requirements.txt
compile --extra dev --constraint requirements.txt --output-file requirements-dev.txt "$@"
pin requirements-dev.txt
