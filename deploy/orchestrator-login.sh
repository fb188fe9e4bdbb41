#!/bin/sh
# Run by the image of PostgreSQL when its volume is new: the login of the orchestrator. What it may do, the gateway says.
set -eu
psql --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --set ON_ERROR_STOP=1 --set password="$ORCHESTRATOR_POSTGRES_PASSWORD" <<'SQL'
create role conclave_orchestrator login password :'password';
SQL
