-- Rows of requests go one way for a login that does not own the tables: from Pending to an end, and from an end nowhere. The
-- exceptions are those that custody's state machine makes for orchestrators (a reorganisation, a dead transaction), and no
-- others: orchestrator-guard.test.ts compares them. Arguments: the changes of status that are allowed, as 'Pending>Executing'.
create function guard_status() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if pg_has_role(current_user, (select relowner from pg_class where oid = tg_relid), 'member') then
    return null;
  end if;
  if not (old.status || '>' || new.status) = any (coalesce(tg_argv, '{}')) then
    raise exception 'only the gateway takes % from % to %', tg_table_name, old.status, new.status
      using errcode = 'insufficient_privilege';
  end if;
  return null;
end
$$;

create trigger guard_status_asked after update on chain_requests for each row
  when (old.status <> new.status and old.authorisation is null)
  execute function guard_status('Pending>Rejected', 'Pending>Failed');
create trigger guard_status_unsigned after update on chain_requests for each row
  when (old.status <> new.status and old.authorisation is not null and old.signed_transaction is null)
  execute function guard_status('Pending>Executing', 'Pending>Failed', 'Executing>Failed');
-- what was signed may be on a chain, which confirms it, reverts it, forgets it, and takes either back
create trigger guard_status_signed after update on chain_requests for each row
  when (old.status <> new.status and old.authorisation is not null and old.signed_transaction is not null)
  execute function guard_status('Executing>Broadcasted', 'Executing>Failed', 'Broadcasted>Confirmed',
    'Broadcasted>Failed', 'Broadcasted>Executing', 'Confirmed>Broadcasted', 'Failed>Broadcasted');
-- What was signed stays as it is, and stays signed, until the authority says that it is dead: its word is on the very bytes
-- that stand in the row, after those that died before. So nobody unsigns a request to have it renewed.
create function guard_signed() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if pg_has_role(current_user, (select relowner from pg_class where oid = tg_relid), 'member') then
    return null;
  end if;
  if new.status = 'Executing' and new.signed_transaction is null
    and new.dead_transactions = old.dead_transactions + 1 and exists (
      select from public.death_statements
       where request_id = old.id and transactions = new.dead_transactions and statement is not null
         and convert_from(statement, 'UTF8')::jsonb -> 'transactions' ->> old.dead_transactions
           = encode(sha256(old.unsigned_transaction), 'hex')) then
    return null;
  end if;
  raise exception 'only the authority says that what was signed for % is dead', old.id
    using errcode = 'insufficient_privilege';
end
$$;
create trigger guard_signed after update on chain_requests for each row
  when (old.dead_transactions <> new.dead_transactions or old.status = 'Broadcasted' and new.status = 'Executing'
    or old.signed_transaction is not null and (old.signed_transaction is distinct from new.signed_transaction
      or old.unsigned_transaction is distinct from new.unsigned_transaction or old.tx_hash is distinct from new.tx_hash))
  execute function guard_signed();
-- what came to nothing before it was signed stays as it is
create trigger guard_ended after update on chain_requests for each row
  when (old.status = 'Rejected' or old.status = 'Failed' and old.signed_transaction is null)
  execute function guard_columns();

create trigger guard_status_asked after update on signatures for each row
  when (old.status <> new.status and old.authorisation is null)
  execute function guard_status('Pending>Rejected', 'Pending>Failed');
create trigger guard_status_authorised after update on signatures for each row
  when (old.status <> new.status and old.authorisation is not null)
  execute function guard_status('Pending>Executing', 'Pending>Failed', 'Executing>Signed', 'Executing>Failed');
create trigger guard_ended after update on signatures for each row
  when (old.status in ('Signed', 'Failed', 'Rejected'))
  execute function guard_columns();

-- orchestrators notice that the time of an approval is over, and reject what waits for it
create trigger guard_status after update on policy_approvals for each row when (old.status <> new.status)
  execute function guard_status('Pending>Expired');
create trigger guard_ended after update on policy_approvals for each row when (old.status <> 'Pending')
  execute function guard_columns();
create trigger guard_status after update on change_requests for each row when (old.status <> new.status)
  execute function guard_status('Pending>Rejected');
create trigger guard_ended after update on change_requests for each row when (old.status <> 'Pending')
  execute function guard_columns();
create trigger guard_ended after update on key_exports for each row when (old.status <> 'Pending')
  execute function guard_columns();

-- What its owner took back. Orchestrators have no right to these columns, and the gateway goes by them, whatever a status says.
alter table chain_requests add column date_aborted timestamptz;
alter table policy_approvals add column date_withdrawn timestamptz;
update chain_requests set date_aborted = coalesce(date_settled, date_requested)
  where status in ('Rejected', 'Failed') and signed_transaction is null and reason like 'aborted by %';
update policy_approvals a set date_withdrawn = coalesce(date_resolved, date_updated)
  where status = 'Denied' and not exists (
    select from policy_approval_decisions d where d.approval_id = a.id and d.value = 'Denied');

-- When the authority signed what stands in a row, which it does anew while the request is wanted: signers act on nothing that
-- it signed long ago. Absent until then: a request was authorised when it was made, or later.
alter table chain_requests add column date_authorised timestamptz;
alter table signatures add column date_authorised timestamptz;
alter table keys add column date_authorised timestamptz;
create index chain_requests_wanted on chain_requests (coalesce(date_authorised, date_requested))
  where status in ('Pending', 'Executing') and authorisation is not null and signed_transaction is null;
create index signatures_wanted on signatures (coalesce(date_authorised, date_requested))
  where status in ('Pending', 'Executing') and authorisation is not null;
create index keys_wanted on keys (coalesce(date_authorised, date_created)) where status = 'Creating';

-- what waits for people, so that one whose approval was said to have expired is found
create index chain_requests_asked on chain_requests (id) where status = 'Pending' and authorisation is null;
create index signatures_asked on signatures (id) where status = 'Pending' and authorisation is null;
create index change_requests_asked on change_requests (id) where status = 'Pending';
