-- Transfers and transactions have one life on a chain: one table, so that they share an account's nonces.
alter table transfers rename to chain_requests;
alter table chain_requests
  add column kind text not null default 'Transfer' check (kind in ('Transfer', 'Transaction')),
  -- of transfers: the asset
  alter column metadata drop not null,
  -- absent while a request waits for its approval, and when it is rejected: the authority signs nothing before (INV-8)
  alter column policy_decision drop not null,
  alter column authorisation drop not null,
  alter column authorisation_signature drop not null,
  add column approval_id text,
  -- the request whose account nonce this one takes, and the one that takes this one's
  add column replaces_id text references chain_requests (id),
  add column replacement_id text references chain_requests (id),
  -- nonce, gas and fees as clients are shown them
  add column details jsonb,
  -- confirmed or failed
  add column date_settled timestamptz,
  add constraint chain_requests_metadata check (kind <> 'Transfer' or metadata is not null),
  drop constraint transfers_org_id_external_id_key,
  add constraint chain_requests_external_id unique (org_id, kind, external_id);
alter table chain_requests alter column kind drop default;
update chain_requests set date_settled = date_confirmed where status = 'Confirmed';

drop index transfers_by_wallet;
create index chain_requests_by_wallet on chain_requests (wallet_id, kind, date_requested desc, id desc);
alter index transfers_under_way rename to chain_requests_under_way;
create index chain_requests_settled on chain_requests (date_settled) where signed_transaction is not null;
create index chain_requests_by_nonce on chain_requests (wallet_id, nonce) where nonce is not null;
-- of the requests of a wallet that hold one nonce, all but one have been replaced (INV-4)
drop index transfers_nonce;
create unique index chain_requests_nonce on chain_requests (wallet_id, nonce)
  where nonce is not null and replacement_id is null and status not in ('Failed', 'Rejected');
