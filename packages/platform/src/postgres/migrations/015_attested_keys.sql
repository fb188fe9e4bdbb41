-- Keys that the signers have made, as an orchestrator tells: the gateway checks what each signer signed of it, and only then
-- the key comes to be.
create table attested_keys (
  key_id text primary key references keys (id),
  public_key text not null check (length(public_key) between 64 and 66),
  -- Ed25519 over what the key is, of each signer of the roster, by index
  signatures bytea[] not null check (cardinality(signatures) between 1 and 64)
);

-- So orchestrators no longer say what a key is, or which address a wallet has: of one in the making they tell that it failed.
drop trigger guard_new on keys;
create trigger guard_new after update on keys for each row
  when (old.status = 'Creating' and new.status in ('Creating', 'Failed'))
  execute function guard_columns('status', 'problem');
create trigger guard_activated after update on keys for each row
  when (old.status = 'Creating' and new.status not in ('Creating', 'Failed'))
  execute function guard_columns();
drop trigger guard_new on wallets;
create trigger guard_new after update on wallets for each row
  when (old.status = 'Creating' and new.status in ('Creating', 'Failed'))
  execute function guard_columns('status', 'problem');
create trigger guard_activated after update on wallets for each row
  when (old.status = 'Creating' and new.status not in ('Creating', 'Failed'))
  execute function guard_columns();
