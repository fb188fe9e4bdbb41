-- outside a transaction: the index is built while requests are written. What was interrupted is begun anew.
-- In whose name the service gathers coins of the organisation's wallets by itself: who allowed it. Null: it does not.
alter table organisations add column if not exists gathers_coins_for jsonb;
-- Requests that the service makes by itself to gather coins. Only the gateway says so of a request: orchestrators may not change the column,
-- and make no requests.
alter table chain_requests add column if not exists is_gathering boolean not null default false;
drop index concurrently if exists chain_requests_gatherings;
create index concurrently chain_requests_gatherings on chain_requests (wallet_id)
  where is_gathering and status in ('Pending', 'Executing', 'Broadcasted');
-- When a deposit was stored, by the database: the block that brought it may say an earlier time (date_detected).
alter table deposits add column if not exists date_stored timestamptz not null default now();
-- Wallets that a gateway has asked its node about, because they may hold many coins. A row is a gateway's alone until its next look is due.
create table if not exists coin_looks (
  wallet_id text primary key references wallets (id),
  -- what the node said last, and when it was asked; null until it has answered once
  coins integer,
  date_looked timestamptz,
  next_look timestamptz not null
);
