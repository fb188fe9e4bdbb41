-- People, whole: credentials of tokens and authenticators, sessions, registrations, and what was signed by whom.

-- a credId is its organisation's own: whether another one knows it is nobody's to find out (INV-11)
alter table credentials drop constraint credentials_pkey;
alter table credentials
  add primary key (org_id, id),
  -- the long-lived token whose actions it signs; a person's own credential has none
  add column token_id text references access_tokens (id),
  -- of a Fido2 authenticator: the public key as the authenticator gave it (RFC 9052)
  add column cose_key bytea;

-- who logged in has a token with a row, so that logging out ends it
alter table access_tokens drop constraint access_tokens_kind_check;
alter table access_tokens add check (kind in ('Pat', 'ServiceAccount', 'Application', 'Token'));
create index access_tokens_by_application on access_tokens (app_id) where app_id is not null;
create index access_tokens_of_sessions on access_tokens (date_expires) where kind = 'Token';
create index applications_by_user on applications (user_id);

-- somebody who was invited shows this code once to register a first credential; only its SHA-256 is kept
alter table users
  add column registration_code_hash bytea,
  add column date_registration_expires timestamptz;

-- with which token an action was asked for, and what signed it
alter table user_actions
  add column token_id text,
  add column credential_id text,
  add column second_credential_id text,
  add column assertion jsonb;

-- Every signed action that was let in, for good.
create table audit_logs (
  id text primary key,
  org_id text not null references organisations (id),
  user_id text not null,
  username text not null,
  token_id text,
  method text not null,
  path text not null,
  -- SHA-256 of the canonical JSON of the body
  payload_digest bytea not null,
  action_token text not null,
  credential_id text not null,
  credential_kind text not null,
  public_key text not null,
  second_credential_id text,
  -- what the credential signed: clientData, signature, authenticatorData, all base64url
  assertion jsonb not null,
  date_performed timestamptz not null
);
create index audit_logs_by_organisation on audit_logs (org_id, date_performed desc, id desc);

-- Challenges are tokens that nobody keeps; those that were answered are remembered until they expire.
create table spent_challenges (
  id uuid primary key,
  date_expires timestamptz not null
);
create index spent_challenges_by_expiry on spent_challenges (date_expires);

-- Nonces of clients that send them (wire interface, section B.1). Lost in a crash, which costs nothing: they last for minutes.
create unlogged table request_nonces (
  org_id text not null,
  nonce_hash bytea not null,
  date_expires timestamptz not null,
  primary key (org_id, nonce_hash)
);
create index request_nonces_by_expiry on request_nonces (date_expires);
