-- Changes of policies, permissions and assignments that people must approve first (wire interface, section E.3).
create table change_requests (
  id text primary key,
  org_id text not null references organisations (id),
  kind text not null check (kind in ('Policy', 'Permission', 'Assignment')),
  operation_kind text not null check (operation_kind in ('Create', 'Update', 'Delete')),
  status text not null check (status in ('Pending', 'Applied', 'Rejected', 'Failed')),
  requester jsonb not null,
  entity_id text not null,
  -- the entity as it would be after the change
  body jsonb not null,
  approval_id text,
  reason text,
  date_created timestamptz not null,
  date_resolved timestamptz
);
create index change_requests_by_organisation on change_requests (org_id, date_created desc, id desc);
-- one change at a time: what people approve is what will be
create unique index change_requests_pending on change_requests (entity_id) where status = 'Pending';
