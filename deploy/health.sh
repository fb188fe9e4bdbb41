#!/bin/sh
# health COMMAND...: a health check of which the engine starts few. Until the first success it asks at once, every two seconds. From then on it
# sleeps three minutes before it asks: to start a check costs the engine more than the check costs, and engines before 25 know one interval alone.
# A check that ends in its sleep leaves no mark: the engine calls a container unhealthy that was paused, until the next check, which asks at once.
set -u
mark=${TMPDIR:-/tmp}/healthy
if [ -e "$mark" ]; then
  rm -f "$mark"
  sleep 180
fi
"$@" && { : > "$mark"; exit 0; }
exit 1
