-- Which orchestrator may have signers use a presignature, and until when. Signers decide by themselves whether it is used;
-- this keeps honest orchestrators from asking for the same one. No row: nobody's. Half-empty pages: a renewal changes no index.
create table presignature_leases (
  id text primary key,
  holder uuid not null,
  until timestamptz not null
) with (fillfactor = 50);
