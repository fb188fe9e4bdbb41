#!/bin/sh
# health COMMAND...: a health check of which the engine starts few. Until the first success it asks at once, every two seconds. From then on it
# sleeps three minutes before it asks: to start a check costs the engine more than the check costs, and engines before 25 know one interval alone.
set -u
mark=/tmp/healthy
[ ! -e "$mark" ] || sleep 180
"$@" && { : > "$mark"; exit 0; }
rm -f "$mark"
exit 1
