-- Who may do what, closed where it could be opened again.

-- A token that was given permissions of its own is never again worth all that its user may do, not even once the last of them
-- is taken back: it may do nothing then. Whoever stores an assignment, it is marked here.
alter table access_tokens add column is_narrowed boolean not null default false;
update access_tokens t set is_narrowed = true
  where exists (select 1 from permission_assignments a where a.org_id = t.org_id and a.identity_id = t.id);
create function narrow_token() returns trigger language plpgsql as $$
begin
  update access_tokens set is_narrowed = true
    where org_id = new.org_id and id = new.identity_id and not is_narrowed;
  return null;
end
$$;
create trigger narrow_token after insert on permission_assignments for each row execute function narrow_token();

alter table users
  -- of a service account, or of an application's user: the person who made it, and who has had its token
  add column made_by text references users (id),
  -- tokens that have no row, as the launcher issues them, are refused when they were issued until then
  add column date_sessions_ended timestamptz;

-- the service's own permissions are made even where somebody took their names before
drop index permissions_by_name;
create unique index permissions_by_name on permissions (org_id, name, is_immutable) where not is_archived;

-- what decoys of unknown names are modelled on: read at each login, so it must not grow with the organisation
create index credentials_oldest on credentials (org_id, date_created, id) where token_id is null;
