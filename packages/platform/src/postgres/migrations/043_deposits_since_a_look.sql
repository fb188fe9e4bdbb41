-- outside a transaction: the index is built while deposits are written. One whose building was interrupted is begun anew.
-- A gateway counts what came to a wallet since it looked at its coins, again and again: it reads the deposits since then alone.
drop index concurrently if exists deposits_by_date_stored;
create index concurrently deposits_by_date_stored on deposits (wallet_id, date_stored);
