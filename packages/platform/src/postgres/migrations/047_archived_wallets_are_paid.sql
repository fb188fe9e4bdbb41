-- outside a transaction: the index is built while wallets are written. One whose building was interrupted is begun anew.
-- Blocks are read for wallets of archived keys, too.
drop index concurrently if exists wallets_with_address;
create index concurrently wallets_with_address on wallets (network, address);
drop index concurrently if exists wallets_by_address;
