-- What the signers state of a key besides: cluster, organisation, how it came to be, t, n and date. One for each signature, in the same
-- order; empty where a signer states nothing, as one of the version before.
alter table attested_keys
  add column statements bytea[] not null default '{}' check (cardinality(statements) <= 64),
  add column statement_signatures bytea[] not null default '{}',
  add constraint attested_keys_stated check (
    cardinality(statements) = cardinality(statement_signatures)
    and cardinality(statements) in (0, cardinality(signatures)));

-- What all signers attested of a key that came to be, for whoever wants to check it. The gateway has checked it; keys of versions before
-- have none.
create table key_attestations (
  key_id text primary key references keys (id),
  signatures bytea[] not null check (cardinality(signatures) between 1 and 64),
  statements bytea[] not null check (cardinality(statements) = cardinality(signatures)),
  statement_signatures bytea[] not null check (cardinality(statement_signatures) = cardinality(signatures))
);
