-- outside a transaction: of large tables, while they are written. What was interrupted is begun anew.
-- Of a wallet or key with a long past only what is asked for is read: its open requests, a page of its history, whether it signed a digest.
drop index concurrently if exists chain_requests_open_of_wallet;
create index concurrently chain_requests_open_of_wallet on chain_requests (wallet_id, sequence)
  where status in ('Executing', 'Broadcasted');
drop index concurrently if exists chain_requests_sent;
create index concurrently chain_requests_sent on chain_requests (wallet_id, date_confirmed desc, id desc)
  where kind = 'Transfer' and status = 'Confirmed';
drop index concurrently if exists chain_requests_received;
create index concurrently chain_requests_received
  on chain_requests (org_id, network, lower(request_body ->> 'to'), date_confirmed desc, id desc)
  where kind = 'Transfer' and status = 'Confirmed';
drop index concurrently if exists signatures_of_digests;
create index concurrently signatures_of_digests on signatures (key_id)
  where authorisation is not null
    and (request_body ->> 'kind' = 'Hash'
      or request_body ->> 'kind' = 'Message' and request_body ->> 'message' ~ '^(0x)?[0-9a-fA-F]{64}$');
drop index concurrently if exists signatures_of_networks;
create index concurrently signatures_of_networks on signatures (key_id, network)
  where authorisation is not null and network is not null;
