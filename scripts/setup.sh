#!/bin/sh
# Everything a fresh machine lacks: pnpm, the dependencies, nats-server, compiled output, the bundles of the services.
#   sh scripts/setup.sh [simulator | all | tests]
# "simulator" makes its bundle too, "all" besides those of tests, with fault points, and "tests" installs Chromium as well.
# A step says what it does, how long it took the last time, and every five seconds that it goes on; a step that is up to date
# says nothing and costs a few milliseconds.
set -eu
cd "$(dirname "$0")/.."

NODE_NEEDED="20.19"
PNPM_VERSION=10.34.8
TOOLS=.conclave/tools
INSTALLED=$TOOLS/installed
WANTED=${1:-}

say() { printf '%s\n' "setup: $*" >&2; }
fail() { printf '%s\n' "setup: $1" "       $2" >&2; exit 1; }
# words of a failure's cause that a log shows, with a remedy; nothing where it shows none
cause_in() {
  if grep -qiE 'ENOSPC|no space left' "$1"; then
    fail "The disk is full: $(df -h . | awk 'NR == 2 { print $4 " are free on " $6 }')." "Free some space (a clone takes 2 GB), and run it again."
  elif grep -qiE 'EROFS|read-only file system' "$1"; then
    fail "$PWD cannot be written: it is on a read-only file system." "Clone into a folder that you may write."
  elif grep -qiE 'EACCES|EPERM|permission denied' "$1"; then
    fail "Something in $PWD cannot be written by $(id -un)." "See $1, and make the folder yours: chown -R $(id -un) ."
  elif grep -qiE 'ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ERR_SOCKET_TIMEOUT|META_FETCH_FAIL|Could not resolve|Temporary failure' "$1"; then
    fail "The registry cannot be reached." "See $1. \`npm ping\` asks the registry that is set; proxies are set with \`npm config set https-proxy\`."
  fi
}

# step NAME "doing" "how long, the first time" "done" "the failure" "its remedy" COMMAND...: runs a command, with its output in a log
# A step whose NAME ends with "-" says nothing if it ends within four seconds.
step() {
  name=${1%-} quiet=$([ "$1" = "${1%-}" ] || echo yes) doing=$2 usual=$3 did=$4 wrong=$5 remedy=$6
  shift 6
  log=$TOOLS/$name.log
  took=$(cat "$TOOLS/$name.took" 2>/dev/null || true)
  if [ -n "$took" ]; then usual="$took s the last time"; fi
  first="$doing, $usual"
  if [ -z "$quiet" ]; then say "$first"; fi
  began=$(date +%s)
  (
    if [ -n "$quiet" ]; then sleep 4 >/dev/null 2>&1 && say "$first"; fi
    # a shell that was killed cannot end this
    while sleep 5 >/dev/null 2>&1 && kill -0 $$ 2>/dev/null; do say "$doing, $(($(date +%s) - began)) s"; done
  ) &
  ticking=$!
  # a shell's background ignores Ctrl-C
  trap 'kill "$ticking" 2>/dev/null' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
  code=0
  "$@" >"$log" 2>&1 || code=$?
  trap - EXIT INT TERM
  kill "$ticking" 2>/dev/null || true
  wait "$ticking" 2>/dev/null || true
  seconds=$(($(date +%s) - began))
  if [ "$code" != 0 ]; then
    tail -n 40 "$log" >&2
    cause_in "$log"
    fail "$wrong" "$remedy"
  fi
  if [ -n "$quiet" ] && [ "$seconds" -lt 4 ]; then return; fi
  printf '%s\n' "$seconds" >"$TOOLS/$name.took"
  say "$did, $seconds s"
}

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
    step pnpm "installing pnpm $PNPM_VERSION into $TOOLS" "some seconds" "pnpm is installed" \
      "pnpm could not be installed." "Run: npm install --global pnpm@$PNPM_VERSION" \
      npm install --silent --no-audit --no-fund --no-save --prefix "$TOOLS" "pnpm@$PNPM_VERSION"
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
  step dependencies "installing the dependencies" "20 s to two minutes" "the dependencies are installed" \
    "The dependencies could not be installed." "See the lines above; the registry must be reachable." \
    env CI=true "$pnpm" install --frozen-lockfile --reporter=append-only
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

# by_package_manager NAME [OPTION of brew]
by_package_manager() {
  if has apt-get; then apt_install "$1"; elif has brew; then brew install --quiet ${2:+"$2"} "$1" >&2; else false; fi
}

install_nats() {
  if has nats-server || [ -x /usr/sbin/nats-server ] || [ -x /usr/local/sbin/nats-server ]; then return; fi
  step nats-server "installing nats-server" "some seconds" "nats-server is installed" \
    "nats-server could not be installed." "Put it on PATH yourself: https://nats.io/download" \
    by_package_manager nats-server
}

# the browser that the compat tests drive; a person who runs no tests needs none
install_chromium() {
  for name in chromium chromium-browser google-chrome; do if has "$name"; then return; fi; done
  for app in Chromium "Google Chrome"; do if [ -x "/Applications/$app.app/Contents/MacOS/$app" ]; then return; fi; done
  step chromium "installing Chromium for the tests" "one to three minutes" "Chromium is installed" \
    "Chromium could not be installed." "Put chromium or google-chrome on PATH yourself." \
    by_package_manager chromium --cask
}

compile() {
  # one checker for a package, since another would learn again what the first one knows; garbage is collected less often, for less work
  step compilation- "compiling TypeScript" "half a minute to three minutes in a new clone" "TypeScript is compiled" \
    "The sources do not compile." "See the lines above." \
    env GOGC=400 node_modules/.bin/tsc -b --checkers 1
}

# services run from bundles; whatever was compiled since the last ones were made is newer than their stamp
# bundle KIND "what" [ARGUMENT of bundle.sh]
bundle() {
  stamp=$TOOLS/bundled-$1
  newer=$(find packages/*/dist services/*/dist scripts/bundle.sh scripts/bundle "$INSTALLED" -maxdepth 1 -newer "$stamp" \
    \( -name .tsbuildinfo -o -type f -name bundle.sh -o -path "scripts/bundle/*.ts" -o -name installed \) 2>/dev/null || echo none)
  if [ -f "$stamp" ] && [ -z "$newer" ]; then return; fi
  step "bundles-$1" "bundling $2" "10 to 30 s" "$2 are bundled" \
    "$2 cannot be bundled." "See the lines above." \
    sh scripts/bundle.sh ${3:+"$3"}
  touch "$stamp"
}

check_node
mkdir -p "$TOOLS" 2>/dev/null && [ -w "$TOOLS" ] ||
  fail "$PWD cannot be written by $(id -un)." "Clone into a folder that you may write."
install_dependencies
install_nats
if [ "$WANTED" = tests ]; then install_chromium; fi
compile
bundle services "the services"
case $WANTED in simulator | all | tests) bundle simulator "the simulator's processes" simulator ;; esac
case $WANTED in all | tests) bundle faults "the services of tests" --faults ;; esac
