-- A database that was put back may have lost which version of a request was sent, and another one of its place was signed and broadcast
-- since, which can never land. A row takes over the version that the chain has: its bytes, signature and hash, all at once and in the same
-- place. The request stays signed: the authority renews nothing, and its word on what is dead is still on the bytes that stand in the row.
create or replace function guard_signed() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
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
  if new.status = old.status and old.status in ('Executing', 'Broadcasted')
    and new.dead_transactions = old.dead_transactions and new.sequence is not distinct from old.sequence
    and new.unsigned_transaction is not null and new.signed_transaction <> old.signed_transaction
    and new.tx_hash <> old.tx_hash then
    return null;
  end if;
  raise exception 'only the authority says that what was signed for % is dead', old.id
    using errcode = 'insufficient_privilege';
end
$$;
