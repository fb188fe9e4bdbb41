-- Which requests of a wallet wait behind each other, however long its history is.
create index chain_requests_in_line on chain_requests (wallet_id, date_requested, id)
  where status in ('Pending', 'Executing') and unsigned_transaction is null;
