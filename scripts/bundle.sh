#!/bin/sh
# One file for each process of a service, of what tsc has compiled: it loads in less than half the time of its modules, and beside
# it what Node makes of it (scripts/bundle/launch.ts), which takes another third off.
#   sh scripts/bundle.sh [--faults] [service...]
# The simulator is bundled like a service, where it is named.
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

# where a bundle lies, for what its modules find beside themselves
HERE='const bundleUrl = require("node:url").pathToFileURL(__filename).href;'
# the options of a signer's process, whose workers have them too: V8 takes no code that was compiled with others
SIGNER_MEMORY="--max-semi-space-size=2 --no-parallel-scavenge"

# the maps are for whoever reads a stack: node --enable-source-maps services/SERVICE/dist/bundle/main.js

# bundle SERVICE NAME=FILE...
bundle() {
  folder=services/$1/dist/$FOLDER
  if [ "$1" = simulator ]; then folder=packages/simulator/dist/$FOLDER; fi
  shift
  rm -rf "${folder:?}"
  # shellcheck disable=SC2086 # none, or one
  node_modules/.bin/esbuild "$@" --outdir="$folder" $POINTS \
    --bundle --platform=node --target=node20 --external:classic-level --external:litesvm --external:pg-native \
    --sourcemap --sources-content=false --log-level=warning
}

# bundle_script SERVICE NAME.code=FILE...: scripts, of which Node can keep what it compiled
bundle_script() {
  bundle "$@" --format=cjs --define:import.meta.url=bundleUrl --banner:js="$HERE"
  printf '{ "type": "commonjs" }\n' >"$folder/package.json"
}

# script NAME FILE: scripts/bundle/NAME.ts as a script of Node
script() {
  node_modules/.bin/esbuild "scripts/bundle/$1.ts" --outfile="$2" --format=cjs --platform=node --target=node20 --log-level=warning
}

# launch NAME [OPTION...]: NAME.js, which runs NAME.code.js as it was compiled with these options of V8
launch() {
  main=$folder/$1.js
  shift
  script launch "$main"
  node "$@" "$KEEP" "$main"
}

SCRIPTS=$(mktemp -d)
trap 'rm -rf "$SCRIPTS"' EXIT
KEEP=$SCRIPTS/keep-compiled.cjs
script keep-compiled "$KEEP"
script require "$SCRIPTS/require.cjs"
REQUIRE=$(node -p 'require(process.argv[1]).REQUIRE' "$SCRIPTS/require.cjs")

for service in "${@:-$SERVICES}"; do
  for name in $service; do
    case $name in
      signer)
        bundle_script signer "main.code=services/signer/dist/$MAIN" health-check.code=services/signer/dist/health-check.js \
          "worker.code=$WORKER" child.code=packages/platform/dist/primes/child.js
        # shellcheck disable=SC2086 # two
        launch main $SIGNER_MEMORY && launch worker $SIGNER_MEMORY
        launch health-check && launch child ;;
      gateway)
        bundle_script gateway "main.code=services/gateway/dist/$MAIN" worker.code=packages/gateway/dist/reading/worker.js
        launch main && launch worker ;;
      orchestrator)
        bundle_script "$name" "main.code=services/$name/dist/$MAIN"
        launch main ;;
      # a module in one file: a chain's code in it runs when its ledger starts, and the others do without its memory
      ledger) bundle ledger "main=services/ledger/dist/$MAIN" fund=services/ledger/dist/fund.js --format=esm --banner:js="$REQUIRE" ;;
      # PGlite and the parser find their WebAssembly beside themselves, and no world runs Vitest
      simulator)
        bundle_script simulator main=packages/simulator/dist/main.js world-child.code=packages/simulator/dist/workers/world-child.js \
          --external:@electric-sql/pglite --external:libpg-query --external:embedded-postgres --external:esbuild --external:vitest
        launch world-child ;;
      *) printf '%s\n' "bundle: there is no service $name" >&2; exit 2 ;;
    esac
  done
done
