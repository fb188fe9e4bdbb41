-- outside a transaction: the index is built while requests are written. What was interrupted is begun anew.
-- The latest transactions of a wallet that landed: what is built while one lands was built from what the chain said before.
drop index concurrently if exists chain_requests_landed_of_wallet;
create index concurrently chain_requests_landed_of_wallet on chain_requests (wallet_id, date_broadcasted desc)
  where status = 'Confirmed';
