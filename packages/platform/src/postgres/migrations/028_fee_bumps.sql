-- outside a transaction: the index is built while requests are written. What was interrupted is begun anew.
-- Replacements that the service makes by itself. Only the gateway says so of a request: orchestrators may not change the column, and
-- make no requests.
alter table chain_requests add column if not exists is_fee_bump boolean not null default false;
drop index concurrently if exists chain_requests_bumps;
create index concurrently chain_requests_bumps on chain_requests (replaces_id) where is_fee_bump;
-- Signed transactions that a follower has seen waiting for at least one block, on networks whose fees the service raises. Orchestrators
-- write since which block; gateways write at which block they looked at it last, what they told of it, and how long one of them holds it.
create table if not exists fee_waits (
  request_id text primary key references chain_requests (id),
  network text not null,
  since_height bigint not null,
  looked_height bigint,
  told text,
  held_until timestamptz
);
create index if not exists fee_waits_due on fee_waits (network, (greatest(since_height, looked_height)));
