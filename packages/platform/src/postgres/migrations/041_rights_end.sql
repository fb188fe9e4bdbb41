-- A right ends with whoever had it, at once: whoever takes one away, or changes what policies say, waits for the judgements that rest on
-- it (people/rights.ts), and those that begin later see the change. The gateway takes this lock before any row. Here it is taken
-- for whoever has not: a gateway of the version before, and an operator's own statement.
create function change_rights() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('rights of ' || coalesce(new.org_id, old.org_id), 0));
  return null;
end
$$;
create trigger change_rights after update on users for each row
  when ((old.is_active, old.date_archived) is distinct from (new.is_active, new.date_archived))
  execute function change_rights();
-- what was asked in a session goes on when that has ended
create trigger change_rights after update on access_tokens for each row
  when (old.kind <> 'Token' and old.is_active <> new.is_active or old.is_narrowed <> new.is_narrowed
    or old.date_archived is distinct from new.date_archived)
  execute function change_rights();
create trigger change_rights after update on applications for each row
  when ((old.is_active, old.date_archived) is distinct from (new.is_active, new.date_archived))
  execute function change_rights();
create trigger change_rights after update on permissions for each row
  when ((old.operations, old.is_archived) is distinct from (new.operations, new.is_archived))
  execute function change_rights();
create trigger change_rights after delete on permission_assignments for each row execute function change_rights();
create trigger change_rights after insert or update on policies for each row execute function change_rights();

-- A vote ends with the token that it came with. Votes of versions before name none: they end with their user.
alter table policy_approval_decisions
  add column token_id text,
  add column app_id text;
