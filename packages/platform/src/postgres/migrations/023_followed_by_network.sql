-- What an orchestrator follows of one network: requests that are signed and not settled, and settled ones by their block.
create index chain_requests_open on chain_requests (network)
  where status in ('Executing', 'Broadcasted') and tx_hash is not null;
create index chain_requests_by_block on chain_requests (network, block_number)
  where status in ('Confirmed', 'Failed') and signed_transaction is not null and tx_hash is not null;
