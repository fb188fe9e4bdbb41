-- Signers sign the same bytes again, with another signature: after a database has lost the first one, the chain may hold those bytes under
-- a hash that no row has. A row takes over that signature and hash. Its unsigned bytes stay, so that nobody unsigns a request to have it
-- renewed, nor asks the authority about other bytes than those that were signed.
drop trigger guard_signed on chain_requests;
create trigger guard_signed after update on chain_requests for each row
  when (old.dead_transactions <> new.dead_transactions or old.status = 'Broadcasted' and new.status = 'Executing'
    or old.signed_transaction is not null and (new.signed_transaction is null or new.tx_hash is null
      or old.unsigned_transaction is distinct from new.unsigned_transaction))
  execute function guard_signed();
