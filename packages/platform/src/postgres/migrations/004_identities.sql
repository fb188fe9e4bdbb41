-- People and machines of an organisation (wire interface, sections A.3 and B.2). A service account is a user that no
-- person logs in as.
create table users (
  id text primary key,
  org_id text not null references organisations (id),
  username text not null,
  -- what a service account is called; people have their username
  name text not null,
  kind text not null check (kind in ('CustomerEmployee', 'EndUser')),
  is_service_account boolean not null,
  -- false until a person has registered a first credential
  is_registered boolean not null,
  is_active boolean not null,
  external_id text,
  date_created timestamptz not null,
  date_archived timestamptz
);
create unique index users_by_username on users (org_id, username) where date_archived is null;
create index users_by_organisation on users (org_id, date_created desc, id desc);

create table applications (
  id text primary key,
  org_id text not null references organisations (id),
  -- as whom it acts: an identity of its own
  user_id text not null references users (id),
  kind text not null check (kind in ('ServerSideApplication', 'ClientSideApplication')),
  name text not null,
  expected_rp_id text not null,
  expected_origin text not null,
  external_id text,
  is_active boolean not null,
  date_created timestamptz not null,
  date_archived timestamptz
);
create index applications_by_organisation on applications (org_id, date_created desc, id desc);

-- Long-lived tokens. Their text is shown once and kept by nobody: only its hash is here.
create table access_tokens (
  id text primary key,
  org_id text not null references organisations (id),
  kind text not null check (kind in ('Pat', 'ServiceAccount', 'Application')),
  name text not null,
  user_id text not null references users (id),
  app_id text references applications (id),
  -- the credential that signs actions under this token, as clients send it
  cred_id text not null,
  -- fingerprint, SHA256:<base64>
  public_key text not null,
  token_hash bytea not null,
  external_id text,
  is_active boolean not null,
  date_created timestamptz not null,
  date_expires timestamptz not null,
  date_archived timestamptz
);
create index access_tokens_by_user on access_tokens (org_id, user_id);

-- What an identity may do: lists of operations, assigned to users, service accounts, tokens and applications.
create table permissions (
  id text primary key,
  org_id text not null references organisations (id),
  name text not null,
  operations jsonb not null,
  -- every operation, also those that later versions bring
  grants_everything boolean not null default false,
  -- made by the service: nobody changes or archives it
  is_immutable boolean not null default false,
  is_archived boolean not null default false,
  date_created timestamptz not null,
  date_updated timestamptz not null
);
create unique index permissions_by_name on permissions (org_id, name) where not is_archived;
create index permissions_by_organisation on permissions (org_id, date_created desc, id desc);

create table permission_assignments (
  id text primary key,
  org_id text not null references organisations (id),
  permission_id text not null references permissions (id),
  -- us-, to- or ap-
  identity_id text not null,
  is_immutable boolean not null default false,
  date_created timestamptz not null,
  date_updated timestamptz not null,
  unique (permission_id, identity_id)
);
create index permission_assignments_by_identity on permission_assignments (org_id, identity_id);

-- What a credential is, beyond the key that signs.
alter table credentials
  add column uuid text,
  add column kind text not null default 'Key'
    check (kind in ('Fido2', 'Key', 'PasswordProtectedKey', 'RecoveryKey')),
  add column relying_party_id text not null default '',
  add column origin text not null default '',
  -- of a PasswordProtectedKey or RecoveryKey: sealed by the client, of no use to us
  add column encrypted_private_key text,
  -- of a Fido2 authenticator
  add column sign_count bigint not null default 0;
update credentials set uuid = 'cr-' || substr(md5(id), 1, 5) || '-' || substr(md5(id), 6, 5) || '-' || substr(md5(id || 'x'), 1, 16);
alter table credentials alter column uuid set not null;
create unique index credentials_by_uuid on credentials (uuid);

-- Those who acted before there were users have a place among them, with everything that they could do.
insert into users (id, org_id, username, name, kind, is_service_account, is_registered, is_active, date_created)
  select user_id, org_id, min(name) || '-' || right(user_id, 4), min(name), 'CustomerEmployee', false, true, true, min(date_created)
  from credentials group by user_id, org_id;
