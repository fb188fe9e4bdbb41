-- outside a transaction: of large tables, while they are written. What was interrupted is begun anew.
-- Of an organisation's past only the time that is asked for is read.
drop index concurrently if exists chain_requests_of_organisation;
create index concurrently chain_requests_of_organisation on chain_requests (org_id, date_confirmed desc, id desc)
  where kind = 'Transfer' and status = 'Confirmed';
drop index concurrently if exists deposits_of_organisation;
create index concurrently deposits_of_organisation on deposits (org_id, date_detected desc, id desc);
