#!/bin/sh
# One file for each process of a service, of what tsc has compiled: it loads in less than half the time of its modules.
#   sh scripts/bundle.sh [service...]
set -eu
cd "$(dirname "$0")/.."

# what CommonJS modules in an ES module call
REQUIRE='import { createRequire as requireFor } from "node:module"; const require = requireFor(import.meta.url);'

# bundle SERVICE [NAME=FILE...]: NAME.js beside main.js, for what it starts
bundle() {
  compiled=services/$1/dist
  shift
  rm -rf "$compiled/bundle"
  node_modules/.bin/esbuild "main=$compiled/main.js" "$@" --outdir="$compiled/bundle" \
    --bundle --platform=node --format=esm --target=node20 --banner:js="$REQUIRE" \
    --external:classic-level --external:pg-native \
    --sourcemap --sources-content=false --log-level=warning
}

for service in "${@:-gateway ledger orchestrator signer}"; do
  for name in $service; do
    case $name in
      signer) bundle signer \
        health-check=services/signer/dist/health-check.js \
        worker=packages/platform/dist/compute/worker.js \
        child=packages/platform/dist/primes/child.js ;;
      # in files of their own are what only some chains need, so that the others do without its memory
      ledger) bundle ledger --splitting ;;
      gateway | orchestrator) bundle "$name" ;;
      *) printf '%s\n' "bundle: there is no service $name" >&2; exit 2 ;;
    esac
  done
done
