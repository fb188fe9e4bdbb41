-- Whether clients of an organisation may bring keys of their own: off until its operator says otherwise.
alter table organisations add column key_import boolean not null default false;

-- What a client encrypted for the signers, until they have taken the key in or refused it: nothing of it stays.
create table key_imports (
  key_id text primary key references keys (id) deferrable initially deferred,
  -- one for each signer of the roster, by index
  envelopes bytea[] not null
);

-- Keys that were handed out to clients, or were asked for.
create table key_exports (
  id text primary key,
  org_id text not null references organisations (id),
  key_id text not null references keys (id),
  requester jsonb not null,
  -- what the gateway authorised, and its signature: signers check it themselves (INV-3, INV-8)
  authorisation bytea not null,
  authorisation_signature bytea not null,
  status text not null check (status in ('Pending', 'Done', 'Failed')),
  -- what the signers sealed for the client, until the gateway has answered it
  shares jsonb,
  problem jsonb,
  date_requested timestamptz not null
);
create index key_exports_by_key on key_exports (key_id);
