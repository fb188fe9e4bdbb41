-- Who chooses a place among a wallet's transactions, or coins of it, expects the wallet's row at the version that it read. So whatever takes
-- such a place, changes it or gives it back writes that row anew, an orchestrator of an earlier version too.
create function renew_line_version() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  update public.wallets set network = network where id = new.wallet_id;
  return null;
end
$$;
create trigger renew_line_version after update on chain_requests for each row
  when (old.sequence is distinct from new.sequence or old.unsigned_transaction is distinct from new.unsigned_transaction
    or old.status <> new.status and old.unsigned_transaction is not null
      and (new.status in ('Executing', 'Failed', 'Rejected') or old.status in ('Confirmed', 'Failed')))
  execute function renew_line_version();
