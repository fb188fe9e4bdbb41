-- What a login that does not own the tables may change of a row: orchestrators have such a login. Rights by table and column
-- are given elsewhere (orchestrator-rights.ts); here is what depends on the row. Arguments: the columns that may change. Only the
-- system's own functions are looked up: in an older PostgreSQL any login may add some to public, under the same names.
create function guard_columns() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  changed text;
begin
  if pg_has_role(current_user, (select relowner from pg_class where oid = tg_relid), 'member') then
    return null;
  end if;
  select string_agg(key, ', ' order by key) into changed
    from jsonb_each(to_jsonb(new)) fresh
   where not key = any (coalesce(tg_argv, '{}')) and value is distinct from to_jsonb(old) -> key;
  if changed is not null then
    raise exception 'only the gateway changes % of %', changed, tg_table_name using errcode = 'insufficient_privilege';
  end if;
  return null;
end
$$;

-- A key comes to be, or not; after that it is handed out at most, which nothing undoes.
create trigger guard_new after update on keys for each row when (old.status = 'Creating')
  execute function guard_columns('status', 'public_key', 'problem');
create trigger guard_made after update on keys for each row when (old.status <> 'Creating' and not old.exported)
  execute function guard_columns('date_exported', 'exported');
create trigger guard_exported after update on keys for each row when (old.status <> 'Creating' and old.exported)
  execute function guard_columns();
create trigger guard_new after update on wallets for each row when (old.status = 'Creating')
  execute function guard_columns('status', 'address', 'problem');
create trigger guard_made after update on wallets for each row when (old.status <> 'Creating')
  execute function guard_columns();

-- What is not authorised can only be rejected: approved later, it is what was asked for (INV-3, INV-8).
create trigger guard_asked after update on chain_requests for each row when (old.authorisation is null)
  execute function guard_columns('status', 'reason', 'date_policy_resolved', 'date_settled');
create trigger guard_authorised after update on chain_requests for each row when (old.authorisation is not null)
  execute function guard_columns('status', 'reason', 'nonce', 'unsigned_transaction', 'signed_transaction', 'tx_hash',
    'block_number', 'block_hash', 'fee', 'date_broadcasted', 'date_confirmed', 'date_settled', 'replacement_id', 'details');
create trigger guard_asked after update on signatures for each row when (old.authorisation is null)
  execute function guard_columns('status', 'reason', 'date_policy_resolved');
create trigger guard_authorised after update on signatures for each row when (old.authorisation is not null)
  execute function guard_columns('status', 'reason', 'signature', 'signed_data', 'date_signed');
