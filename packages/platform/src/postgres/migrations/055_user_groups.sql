-- Groups of an organisation's people. Policies name them as approvers, so only the gateway reads and writes them (INV-8).
create table user_groups (
  id text primary key,
  org_id text not null references organisations (id),
  name text not null,
  description text,
  date_created timestamptz not null,
  date_updated timestamptz not null
);
create unique index user_groups_name on user_groups (org_id, name);
create index user_groups_by_organisation on user_groups (org_id, date_created desc, id desc);
create table user_group_members (
  group_id text not null references user_groups (id) on delete cascade,
  user_id text not null references users (id),
  org_id text not null,
  date_added timestamptz not null,
  primary key (group_id, user_id)
);
create index user_group_members_by_user on user_group_members (user_id);
-- Members decide on what waits: a change of them waits for the judgements that rest on them (041_rights_end.sql).
create trigger change_rights after insert or delete on user_group_members for each row execute function change_rights();

-- A change of the members of a group that a policy names is a change of that policy, which people may have to approve.
alter table change_requests drop constraint change_requests_kind_check;
alter table change_requests add constraint change_requests_kind_check
  check (kind in ('Policy', 'Permission', 'Assignment', 'UserGroup'));
