-- What came to wallets from outside. The chain is read block by block, each network by one reader at a time.
create table read_blocks (
  network text primary key,
  -- the last final block that was read
  height bigint not null
);

create table deposits (
  id text primary key,
  org_id text not null references organisations (id),
  wallet_id text not null references wallets (id),
  network text not null,
  tx_hash text not null,
  -- among what the transaction's block brought: one transaction may bring several things
  place text not null,
  -- absent where the chain names no sender
  sender text,
  -- what moved, in the form of a transfer's body
  moved jsonb not null,
  asset jsonb not null,
  block_number bigint not null,
  date_detected timestamptz not null,
  unique (wallet_id, tx_hash, place)
);
create index deposits_by_wallet on deposits (wallet_id, date_detected desc, id desc);

create index wallets_by_address on wallets (network, address) where status = 'Active';
