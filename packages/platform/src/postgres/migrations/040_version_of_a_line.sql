-- Who chooses a place among a wallet's transactions, or coins of it, expects the wallet's row at the version that it read. So whatever takes
-- such a place, changes it or opens it again writes that row anew, an orchestrator of an earlier version too. What gives a place back before
-- it was signed only leaves more room: nobody has to hear of that. A transaction writes the row once, however many requests it changes.
create function renew_line_version() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  update public.wallets set network = network where id = new.wallet_id and xmin <> pg_current_xact_id()::xid;
  return null;
end
$$;
create trigger renew_line_version after update on chain_requests for each row
  when (old.sequence is distinct from new.sequence or old.unsigned_transaction is distinct from new.unsigned_transaction
    or old.status <> new.status and (old.status in ('Confirmed', 'Failed')
      or new.status in ('Executing', 'Failed') and old.signed_transaction is not null))
  execute function renew_line_version();
