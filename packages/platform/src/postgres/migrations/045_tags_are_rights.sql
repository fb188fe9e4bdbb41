-- Filters of policies find a wallet, and with it all that its key signs, by tags. So whoever changes tags waits for the judgements that
-- rest on them, as whoever changes a policy does (041_rights_end.sql).
create trigger change_rights after update of tags on wallets for each row
  when (old.tags is distinct from new.tags)
  execute function change_rights();
