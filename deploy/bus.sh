#!/bin/sh
# The message bus, with its token from a file: in no argument that another could list. nats-server reads the variable as a piece of its
# configuration (12345 would be a number, $x a variable), so the token goes there as a quoted text.
set -eu
token=$(cat /run/secrets/nats-token) || { echo "nats: the token's file cannot be read: let user $(id -u) read it" >&2; exit 1; }
[ -n "$token" ] || { echo "nats: the token's file is empty" >&2; exit 1; }
# the beginning of a hash of bcrypt: nats-server would take what it is the hash of
case $token in '$2'[abxy]'$'*) echo "nats: a token may not begin with ${token%"${token#????}"}" >&2; exit 1 ;; esac
NATS_TOKEN="\"$(printf '%s' "$token" | sed 's/[\\"]/\\&/g')\""
export NATS_TOKEN
exec nats-server -c /etc/conclave/nats.conf "$@"
