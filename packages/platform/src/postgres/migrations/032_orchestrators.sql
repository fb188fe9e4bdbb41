-- Orchestrators that run. Each holds the advisory lock of its row on a connection of its own: whose lock is free has ended, however it
-- ended, and what it held is another's at once.
create table orchestrators (
  id uuid primary key,
  since timestamptz not null default now()
);
alter table due_requests add column holder uuid;
create index due_requests_held on due_requests (holder) where token is not null;
