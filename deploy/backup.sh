#!/bin/sh
# What an operator keeps apart from the cluster: docker compose run --rm -T backup records > records.dump (deploy/README.md).
set -eu
say() { printf 'backup: %s\n' "$*" >&2; }
give_up() { say "$*"; exit 1; }

PGPASSWORD=$(cat "$DATABASE_PASSWORD_FILE") || give_up "the password's file cannot be read: let user $(id -u) read it"
export PGPASSWORD

case ${1:-} in
  records)
    [ ! -t 1 ] || give_up "name a file for the records: docker compose run --rm -T backup records > records.dump"
    pg_dump --format=custom --dbname="$DATABASE_URL" || give_up "the records are NOT in that file: remove it"
    say "the records are written; keep the keys and each signer's volume with them" ;;
  keys)
    [ ! -t 1 ] || give_up "name a file for the keys: docker compose run --rm -T backup keys > keys.tar"
    [ -e /state/cluster/roster.json ] || give_up "there is no cluster yet: docker compose run --rm provision makes one"
    tar -C /state -cf - cluster gateway orchestrator || give_up "the keys are NOT in that file: remove it"
    say "the cluster's files and the keys of gateway and orchestrator are written, with what opens them: guard that file" ;;
  restore-records)
    # all or nothing: whoever forgot to stop gateway and orchestrator has what was there
    pg_restore --clean --if-exists --single-transaction --no-owner --dbname="$DATABASE_URL" \
      || give_up "nothing was restored: stop gateway and orchestrator, and give it a file of \`backup records\`"
    say "the records are as they were when the file was written" ;;
  *) give_up "say what: records, keys, or restore-records" ;;
esac
