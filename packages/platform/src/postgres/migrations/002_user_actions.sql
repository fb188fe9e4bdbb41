-- Keys with which users sign their actions (wire interface, sections B.3 to B.5).
create table credentials (
  -- as clients send it
  id text primary key,
  org_id text not null references organisations (id),
  user_id text not null,
  name text not null,
  -- SPKI, PEM
  public_key text not null,
  is_active boolean not null,
  date_created timestamptz not null
);
create index credentials_by_user on credentials (org_id, user_id);

-- One action that a user was challenged to sign: signed at most once, used at most once.
create table user_actions (
  id uuid primary key,
  org_id text not null references organisations (id),
  user_id text not null,
  method text not null,
  path text not null,
  payload_digest bytea not null,
  challenge text not null,
  date_expires timestamptz not null,
  date_signed timestamptz,
  date_used timestamptz
);
create index user_actions_by_expiry on user_actions (date_expires);
