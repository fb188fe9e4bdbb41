#!/bin/sh
# What an operator keeps apart from the cluster: docker compose run --rm -T backup records > records.dump (deploy/day-to-day.md).
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
    # All or nothing, into a schema that is new: what a newer version added goes as well. `drop` waits for whoever uses the records.
    whole=/tmp/whole
    rm -f "$whole"
    {
      echo "begin; set local client_min_messages = warning; set local lock_timeout = '30s'; drop schema public cascade; create schema public;"
      # as PostgreSQL makes it, which no dump repeats
      echo "alter schema public owner to pg_database_owner; grant usage on schema public to public;"
      pg_restore --no-owner --file=- && { echo 'commit;'; : > "$whole"; }
    } | psql --no-psqlrc --quiet --output=/dev/null --set=ON_ERROR_STOP=1 --dbname="$DATABASE_URL" && [ -e "$whole" ] \
      || give_up "nothing was restored, for the reason above. The file must be whole, gateway and orchestrator stopped, and the login conclave_orchestrator there"
    say "the records are as they were when the file was written" ;;
  *) give_up "say what: records, keys, or restore-records" ;;
esac
