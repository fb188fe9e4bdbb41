-- Rules of an organisation. The body is kept as it was sent: clients read back what they wrote.
create table policies (
  id text primary key,
  org_id text not null references organisations (id),
  status text not null check (status in ('Active', 'Archived')),
  body jsonb not null,
  date_created timestamptz not null,
  date_updated timestamptz not null
);
create index policies_by_organisation on policies (org_id, date_created desc, id desc);
create index policies_in_force on policies (org_id, (body ->> 'activityKind')) where status = 'Active';

-- What each policy made of each request, kept for ever: a policy that changes later changes nothing here (INV-8).
create table policy_evaluations (
  id text primary key,
  org_id text not null references organisations (id),
  policy_id text not null references policies (id),
  -- the transfer, transaction, signature or change request that was evaluated
  subject_id text not null,
  -- in the order of evaluation
  position integer not null,
  triggered boolean not null,
  reason text not null,
  context jsonb,
  date timestamptz not null,
  unique (subject_id, position)
);

-- Requests that wait for people. The groups are those of the moment of the request.
create table policy_approvals (
  id text primary key,
  org_id text not null references organisations (id),
  initiator_id text not null,
  activity_kind text not null,
  subject_kind text not null check (subject_kind in ('transfer', 'transaction', 'signature', 'change-request')),
  subject_id text not null unique,
  status text not null check (status in ('Pending', 'Approved', 'Denied', 'Expired')),
  groups jsonb not null,
  date_expires timestamptz,
  date_created timestamptz not null,
  date_updated timestamptz not null,
  date_resolved timestamptz
);
create index policy_approvals_by_organisation on policy_approvals (org_id, date_created desc, id desc);
create index policy_approvals_to_expire on policy_approvals (date_expires) where status = 'Pending';

-- One voice a person.
create table policy_approval_decisions (
  approval_id text not null references policy_approvals (id),
  user_id text not null,
  is_service_account boolean not null,
  value text not null check (value in ('Approved', 'Denied')),
  reason text,
  date timestamptz not null,
  primary key (approval_id, user_id)
);

-- What each request was worth when it was judged: what rules over a stretch of time add up. A request that was signed as a
-- hash or a message counts for every wallet of its key.
create table wallet_spendings (
  -- a wallet, or a key that no wallet uses
  subject text not null,
  request_id text not null,
  org_id text not null references organisations (id),
  -- in 10^-18 of the currency; absent when nobody can tell
  eur numeric(120, 0),
  usd numeric(120, 0),
  date timestamptz not null,
  primary key (subject, request_id)
);
create index wallet_spendings_by_date on wallet_spendings (subject, date);
