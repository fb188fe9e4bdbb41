-- Jobs that make many wallets, each with a key of its own. Gateways alone read and write them: orchestrators make the keys, as of any wallet.
create table bulk_wallet_jobs (
  id text primary key,
  org_id text not null references organisations (id),
  status text not null check (status in ('Pending', 'InProgress', 'Completed', 'PartiallyCompleted', 'Failed')),
  network text not null,
  name_prefix text not null,
  tags jsonb not null,
  requester jsonb not null,
  -- the end user to whom the wallets belong; null for those of the organisation
  delegated_to text,
  total_count integer not null check (total_count > 0),
  completed_count integer not null check (completed_count between 0 and total_count),
  reason text,
  retries integer not null,
  next_retry_date timestamptz,
  date_created timestamptz not null,
  date_updated timestamptz not null,
  date_completed timestamptz,
  check ((date_completed is null) = (status in ('Pending', 'InProgress')))
);
create index bulk_wallet_jobs_of_organisation on bulk_wallet_jobs (org_id, date_created desc, id desc);
create index bulk_wallet_jobs_open on bulk_wallet_jobs (date_created, id) where date_completed is null;
-- The wallets that were begun, by their number in the job: no number has two. One that failed gives its number to the next.
create table bulk_wallets (
  job_id text not null references bulk_wallet_jobs (id),
  number integer not null check (number > 0),
  wallet_id text not null unique references wallets (id),
  primary key (job_id, number)
);
