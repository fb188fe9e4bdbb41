-- The point that the shares of a Taproot key are of, which its clients need: they tweak it with script trees of their own (BIP-341).
-- public_key stays the key that it becomes without a script tree. Keys from before have none here.
alter table keys add column internal_key text check (internal_key ~ '^0[23][0-9a-f]{64}$');
alter table attested_keys add column internal_key text check (internal_key ~ '^0[23][0-9a-f]{64}$');
-- The point that exported shares are of, in lower-case hex: the client checks what it puts together against it.
alter table key_exports add column public_key text check (length(public_key) between 64 and 66);
