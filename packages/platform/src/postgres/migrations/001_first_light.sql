create table organisations (
  id text primary key,
  name text not null,
  date_created timestamptz not null
);

-- A wallet is "Creating" until all signers have activated its key; the API shows only "Active" ones.
create table wallets (
  id text primary key,
  org_id text not null references organisations (id),
  key_id text not null unique,
  name text,
  network text not null,
  status text not null check (status in ('Creating', 'Active', 'Failed')),
  external_id text,
  tags jsonb not null default '[]',
  requester jsonb not null,
  request_body jsonb not null,
  -- what the gateway authorised, and its signature: signers check it themselves (INV-3, INV-8)
  authorisation bytea not null,
  authorisation_signature bytea not null,
  public_key text,
  address text,
  problem jsonb,
  date_created timestamptz not null,
  unique (org_id, external_id)
);
create index wallets_by_organisation on wallets (org_id, date_created desc, id desc);

create table transfers (
  id text primary key,
  org_id text not null references organisations (id),
  wallet_id text not null references wallets (id),
  network text not null,
  requester jsonb not null,
  request_body jsonb not null,
  metadata jsonb not null,
  external_id text,
  status text not null
    check (status in ('Pending', 'Executing', 'Broadcasted', 'Confirmed', 'Failed', 'Rejected')),
  -- why it failed, or what it waits for
  reason text,
  policy_decision jsonb not null,
  authorisation bytea not null,
  authorisation_signature bytea not null,
  -- written before signing
  nonce bigint,
  unsigned_transaction bytea,
  -- written before broadcast: a crash afterwards rebroadcasts these very bytes (INV-4)
  signed_transaction bytea,
  tx_hash text,
  block_number bigint,
  block_hash text,
  fee text,
  date_requested timestamptz not null,
  date_policy_resolved timestamptz,
  date_broadcasted timestamptz,
  date_confirmed timestamptz,
  unique (org_id, external_id)
);
create index transfers_by_wallet on transfers (wallet_id, date_requested desc, id desc);
create index transfers_under_way on transfers (date_requested) where status in ('Pending', 'Executing', 'Broadcasted');
-- two transfers of a wallet never hold one nonce (INV-4)
create unique index transfers_nonce on transfers (wallet_id, nonce) where nonce is not null and status <> 'Failed';

-- Messages that leave in the same transaction as the change they tell of.
create table outbox (
  id bigint generated always as identity primary key,
  -- JetStream drops a second message with this id
  message_id text not null unique,
  subject text not null,
  payload jsonb not null,
  date_created timestamptz not null,
  date_published timestamptz
);
create index outbox_waiting on outbox (id) where date_published is null;

-- One row a state change (INV-6).
create table events (
  id text primary key,
  kind text not null,
  org_id text not null references organisations (id),
  entity_id text not null,
  data jsonb not null,
  date timestamptz not null
);
create index events_by_entity on events (entity_id, date);

-- Signers that were proved to deviate (INV-7).
create table faults (
  id bigint generated always as identity primary key,
  culprit integer not null,
  reporter integer not null,
  session_id bytea not null,
  check_name text not null,
  evidence jsonb not null,
  date timestamptz not null
);
