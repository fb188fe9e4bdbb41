#!/bin/sh
# Everything a fresh machine lacks: pnpm, the dependencies, nats-server, compiled output; with the argument "tests" also Chromium.
# One line a step that does something; a step that is up to date says nothing and costs a few milliseconds.
set -eu
cd "$(dirname "$0")/.."

NODE_NEEDED="20.19"
PNPM_VERSION=10.34.8
TOOLS=.conclave/tools
INSTALLED=$TOOLS/installed
BUNDLED=$TOOLS/bundled

say() { printf '%s\n' "setup: $*" >&2; }
fail() { printf '%s\n' "setup: $1" "       $2" >&2; exit 1; }
has() { command -v "$1" >/dev/null 2>&1; }

check_node() {
  has node || fail "Node is not installed." "Install Node $NODE_NEEDED or later: https://nodejs.org"
  has npm || fail "npm is not installed." "It comes with Node: https://nodejs.org"
  node -e '
    const [major, minor] = process.versions.node.split(".").map(Number);
    process.exit(major > 20 || (major === 20 && minor >= 19) ? 0 : 1);
  ' || fail "Node $(node -v) is too old." "Install Node $NODE_NEEDED or later: https://nodejs.org"
}

# pnpm 10 from PATH; else a copy of our own, so that nothing global is touched
pnpm_command() {
  if has pnpm && [ "$(pnpm --version 2>/dev/null | cut -d. -f1)" = 10 ]; then
    echo pnpm
    return
  fi
  local_pnpm="$TOOLS/node_modules/.bin/pnpm"
  if [ ! -x "$local_pnpm" ]; then
    say "pnpm $PNPM_VERSION goes into $TOOLS"
    npm install --silent --no-audit --no-fund --no-save --prefix "$TOOLS" "pnpm@$PNPM_VERSION" >&2 ||
      fail "pnpm could not be installed." "Run: npm install --global pnpm@$PNPM_VERSION"
  fi
  echo "$local_pnpm"
}

# what the installed dependencies depend on
fingerprint() {
  { node -v; uname -sm; cat pnpm-lock.yaml pnpm-workspace.yaml package.json packages/*/package.json services/*/package.json examples/package.json test/package.json; } | cksum
}

install_dependencies() {
  wanted=$(fingerprint)
  if [ -f node_modules/.modules.yaml ] && [ -f "$INSTALLED" ] && [ "$(cat "$INSTALLED")" = "$wanted" ]; then return; fi
  pnpm=$(pnpm_command)
  say "dependencies are installed"
  CI=true "$pnpm" install --frozen-lockfile --reporter=silent >&2 ||
    CI=true "$pnpm" install --frozen-lockfile >&2 ||
    fail "The dependencies could not be installed." "See the lines above; the registry must be reachable."
  printf '%s\n' "$wanted" >"$INSTALLED"
}

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; elif [ -n "${CI:-}" ]; then sudo -n "$@"; else sudo "$@"; fi
}

apt_install() {
  export DEBIAN_FRONTEND=noninteractive
  install="as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $1"
  $install >/dev/null 2>&1 || { as_root apt-get update -qq >&2 && $install >&2; }
}

install_nats() {
  if has nats-server || [ -x /usr/sbin/nats-server ] || [ -x /usr/local/sbin/nats-server ]; then return; fi
  say "nats-server is installed"
  if has apt-get; then apt_install nats-server; elif has brew; then brew install --quiet nats-server >&2; else false; fi ||
    fail "nats-server could not be installed." "Put it on PATH yourself: https://nats.io/download"
}

# the browser that the compat tests drive; a person who runs no tests needs none
install_chromium() {
  for name in chromium chromium-browser google-chrome; do if has "$name"; then return; fi; done
  for app in Chromium "Google Chrome"; do if [ -x "/Applications/$app.app/Contents/MacOS/$app" ]; then return; fi; done
  say "Chromium is installed, for the tests"
  if has apt-get; then apt_install chromium; elif has brew; then brew install --quiet --cask chromium >&2; else false; fi ||
    fail "Chromium could not be installed." "Put chromium or google-chrome on PATH yourself."
}

compile() {
  if [ ! -f packages/cli/dist/main.js ]; then say "TypeScript is compiled"; fi
  # one checker for a package, since another would learn again what the first one knows; garbage is collected less often, for less work
  GOGC=400 node_modules/.bin/tsc -b --checkers 1 >&2 || fail "The sources do not compile." "See the lines above."
}

# services run from bundles; whatever was compiled since the last ones were made is newer than their stamp
bundle() {
  newer=$(find packages/*/dist services/*/dist scripts/bundle.sh scripts/bundle "$INSTALLED" -maxdepth 1 -newer "$BUNDLED" \
    \( -name .tsbuildinfo -o -type f -name bundle.sh -o -path "scripts/bundle/*.ts" -o -name installed \) 2>/dev/null || echo none)
  if [ -f "$BUNDLED" ] && [ -z "$newer" ]; then return; fi
  { sh scripts/bundle.sh && sh scripts/bundle.sh simulator && sh scripts/bundle.sh --faults; } >&2 || fail "The services cannot be bundled." "See the lines above."
  touch "$BUNDLED"
}

check_node
mkdir -p "$TOOLS"
install_dependencies
install_nats
if [ "${1:-}" = tests ]; then install_chromium; fi
compile
bundle
