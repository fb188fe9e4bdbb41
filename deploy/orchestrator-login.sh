#!/bin/sh
# Run by the image of PostgreSQL when its volume is new: the login of the orchestrator. What it may do, the gateway says.
set -eu
password=$(cat /run/secrets/orchestrator-password)
psql --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --set ON_ERROR_STOP=1 --set password="$password" <<'SQL'
create role conclave_orchestrator login password :'password';
SQL
