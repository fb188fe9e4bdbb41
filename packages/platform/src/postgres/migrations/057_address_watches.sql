-- Addresses that an organisation watches, and the movements at them since. A deleted watch keeps its row and its movements: the same address, watched again, goes on with both.
create table address_watches (
  id text primary key,
  org_id text not null references organisations (id),
  network text not null,
  -- as the network's node names it
  address text not null,
  name text,
  external_id text,
  status text not null check (status in ('Active', 'Archived')),
  date_created timestamptz not null,
  -- when it began to watch: at its creation, or when it was created again
  date_activated timestamptz not null,
  date_deleted timestamptz,
  check ((date_deleted is null) = (status = 'Active')),
  unique (org_id, network, address)
);
create index address_watches_of_organisation on address_watches (org_id, date_created desc, id desc);
create index address_watches_active on address_watches (network, address) where status = 'Active';

create table watched_movements (
  id text primary key,
  org_id text not null references organisations (id),
  address_watch_id text not null references address_watches (id),
  network text not null,
  direction text not null check (direction in ('In', 'Out')),
  tx_hash text not null,
  -- among what the transaction's block brought
  place text not null,
  -- absent where the chain names no sender
  sender text,
  -- what moved, in the form of a transfer's body
  moved jsonb not null,
  asset jsonb not null,
  block_number bigint not null,
  date_detected timestamptz not null
);
create index watched_movements_by_watch on watched_movements (address_watch_id, date_detected desc, id desc);
