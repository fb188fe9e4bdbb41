-- Where organisations hear of their events (wire interface, section D).
create table webhooks (
  id text primary key,
  org_id text not null references organisations (id),
  url text not null,
  -- kinds of event, or ["*"]
  events jsonb not null,
  status text not null check (status in ('Enabled', 'Disabled')),
  description text,
  -- sealed: only gateway and orchestrator hold the key (INV-10)
  secret bytea not null,
  date_created timestamptz not null,
  date_updated timestamptz not null
);
create index webhooks_by_organisation on webhooks (org_id, date_created desc, id desc);

-- What one webhook is still to hear of. It is written with the event itself, in one transaction (INV-6), and is gone
-- once it was delivered or the last attempt failed.
create table webhook_deliveries (
  id bigint generated always as identity primary key,
  webhook_id text not null references webhooks (id) on delete cascade,
  org_id text not null references organisations (id),
  kind text not null,
  data jsonb not null,
  date timestamptz not null,
  attempts integer not null default 0,
  date_first_sent timestamptz,
  retry_of text,
  date_due timestamptz not null,
  -- whoever works on it has until then; afterwards somebody else takes it up (INV-5)
  date_leased timestamptz not null default '-infinity'
);
create index webhook_deliveries_due on webhook_deliveries (date_due, id);
create index webhook_deliveries_by_webhook on webhook_deliveries (webhook_id, date_due, id);

-- Every attempt that was made, for 31 days.
create table webhook_events (
  id text primary key,
  webhook_id text not null references webhooks (id) on delete cascade,
  org_id text not null references organisations (id),
  kind text not null,
  delivery_failed boolean not null,
  -- the attempt as it was recorded
  event jsonb not null,
  date_sent timestamptz not null
);
create index webhook_events_by_webhook on webhook_events (webhook_id, date_sent desc, id desc);
create index webhook_events_by_age on webhook_events (date_sent);
