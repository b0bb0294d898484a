#!/usr/bin/env bash
# Tests python/ against the real libraries. Makes a virtual environment in the
# folder named, or in one that it removes; needs Go, Python 3.11 or later, and about
# 2.5 GB of downloads. CAPGRAPH names a binary that is built already; what
# follows the folder goes to pytest.
set -euo pipefail
cd "$(dirname "$0")/.."
venv=${1:-}
if [ -z "$venv" ]; then
  venv=$(mktemp -d)
  trap 'rm -rf "$venv"' EXIT
fi
if [ ! -x "$venv/bin/pytest" ]; then
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet --no-deps --no-compile --requirement python/requirements-test.txt
fi
PYTHONPATH=python HF_HUB_OFFLINE=1 "$venv/bin/python" -m pytest -q python/tests "${@:2}"
# The Go tests that compare with Python's libraries; each has to run. Packages without them are not linked.
tests='Python|TensorBoard|HuggingFace|Torchrun'
packages=$(grep -rlE --include='*_test.go' "^func Test[A-Za-z]*($tests)" ./train ./eval ./cmd/capgraph | xargs -n 1 dirname | sort -u)
out=$(CAPGRAPH_LONG=1 CAPGRAPH_PYTHON="$venv/bin/python" go test -count=1 -v -run "$tests" $packages 2>&1) || { echo "$out"; exit 1; }
grep -E -- '^(--- |ok)' <<<"$out"
! grep -q -- '--- SKIP' <<<"$out"
