-- Requests of every chain family. What stands in a row is its family's to read: a place among the transactions of its account
-- where the family counts them (Stellar's exceed 2^53), and what the built transaction excludes (INV-4).
alter table chain_requests rename column nonce to sequence;
alter table chain_requests
  alter column sequence type numeric(39, 0),
  add column exclusion bytea,
  -- how many transactions were signed for it and found dead, before the one that stands here
  add column dead_transactions integer not null default 0 check (dead_transactions between 0 and 64);
alter index chain_requests_by_nonce rename to chain_requests_by_sequence;
alter index chain_requests_nonce rename to chain_requests_sequence;

drop trigger guard_authorised on chain_requests;
create trigger guard_authorised after update on chain_requests for each row when (old.authorisation is not null)
  execute function guard_columns('status', 'reason', 'sequence', 'exclusion', 'dead_transactions', 'unsigned_transaction',
    'signed_transaction', 'tx_hash', 'block_number', 'block_hash', 'fee', 'date_broadcasted', 'date_confirmed',
    'date_settled', 'replacement_id', 'details');

-- Those transactions, for good: 1 is the first that was signed for the request.
create table dead_transactions (
  request_id text not null references chain_requests (id),
  number integer not null check (number between 1 and 64),
  unsigned_transaction bytea not null,
  signed_transaction bytea not null,
  tx_hash text not null,
  sequence numeric(39, 0),
  exclusion bytea,
  date_died timestamptz not null,
  primary key (request_id, number)
);

-- What an orchestrator believes dead, and the authority's word on it once a gateway has looked for itself. Orchestrators
-- ask, and never answer (orchestrator-rights.ts).
create table death_statements (
  request_id text not null references chain_requests (id),
  -- it speaks of the first so many transactions of the request: all that were signed until it was asked for
  transactions integer not null check (transactions between 1 and 64),
  date_asked timestamptz not null,
  -- DeadTransactions as JSON, and the authority's signature
  statement bytea,
  statement_signature bytea,
  primary key (request_id, transactions),
  check ((statement is null) = (statement_signature is null))
);
create index death_statements_asked on death_statements (request_id, transactions) where statement is null;
