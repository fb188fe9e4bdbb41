#!/bin/sh
# One file for each process of a service, of what tsc has compiled: it loads in less than half the time of its modules.
#   sh scripts/bundle.sh [--faults] [service...]
# With --faults the bundles of tests are made instead, in dist/bundle-faults: of the same code, with the named fault points that
# production's do not have (statements with the label FAULT), and with a main that has disk, clock and messages fail on order.
set -eu
cd "$(dirname "$0")/.."

SERVICES="gateway ledger orchestrator signer"
FOLDER=bundle
MAIN=main.js
WORKER=packages/platform/dist/compute/worker.js
POINTS=--drop-labels=FAULT
if [ "${1:-}" = --faults ]; then
  shift
  SERVICES="gateway orchestrator signer"
  FOLDER=bundle-faults
  MAIN=testing/main.js
  WORKER=packages/platform/dist/testing/faults/bending-worker.js
  POINTS=
fi

# what CommonJS modules in an ES module call
REQUIRE='import { createRequire as requireFor } from "node:module"; const require = requireFor(import.meta.url);'

# the maps are for whoever reads a stack: node --enable-source-maps services/SERVICE/dist/bundle/main.js

# bundle SERVICE [NAME=FILE...]: NAME.js beside main.js, for what it starts
bundle() {
  compiled=services/$1/dist
  shift
  rm -rf "${compiled:?}/$FOLDER"
  # shellcheck disable=SC2086 # none, or one
  node_modules/.bin/esbuild "main=$compiled/$MAIN" "$@" --outdir="$compiled/$FOLDER" $POINTS \
    --bundle --platform=node --format=esm --target=node20 --banner:js="$REQUIRE" \
    --external:classic-level --external:litesvm --external:pg-native \
    --sourcemap --sources-content=false --log-level=warning
}

for service in "${@:-$SERVICES}"; do
  for name in $service; do
    case $name in
      signer) bundle signer \
        health-check=services/signer/dist/health-check.js \
        "worker=$WORKER" \
        child=packages/platform/dist/primes/child.js ;;
      # in files of their own are what only some chains need, so that the others do without its memory
      ledger) bundle ledger --splitting ;;
      gateway | orchestrator) bundle "$name" ;;
      *) printf '%s\n' "bundle: there is no service $name" >&2; exit 2 ;;
    esac
  done
done
