-- Requests for a signature that is answered and sent nowhere.
create table signatures (
  id text primary key,
  org_id text not null references organisations (id),
  key_id text not null references keys (id),
  -- absent when the key itself was asked
  wallet_id text references wallets (id),
  network text,
  requester jsonb not null,
  request_body jsonb not null,
  external_id text,
  status text not null check (status in ('Pending', 'Executing', 'Signed', 'Failed', 'Rejected')),
  -- why it failed or was rejected, or what it waits for
  reason text,
  approval_id text,
  -- absent while an approval is pending: the authority signs nothing before (INV-8)
  policy_decision jsonb,
  authorisation bytea,
  authorisation_signature bytea,
  signature jsonb,
  signed_data text,
  date_requested timestamptz not null,
  date_policy_resolved timestamptz,
  date_signed timestamptz,
  unique (org_id, external_id),
  check ((authorisation is null) = (policy_decision is null)),
  check (status not in ('Executing', 'Signed') or authorisation is not null)
);
create index signatures_by_key on signatures (key_id, date_requested desc, id desc);
create index signatures_by_wallet on signatures (wallet_id, date_requested desc, id desc) where wallet_id is not null;
create index signatures_under_way on signatures (date_requested) where status in ('Pending', 'Executing');
