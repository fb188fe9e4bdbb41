-- The evidence of a fault, whole: anybody with the roster checks it again. A fault of before is read on, with what it has.
alter table faults
  alter column evidence drop not null,
  -- evidenceCodec: it names the session, its parties, and all that the check needs
  add column proof bytea check (octet_length(proof) between 1 and 1048576),
  -- of the session; the key id is absent when the session was not about one key
  add column protocol text check (length(protocol) between 1 and 64),
  add column key_id text check (length(key_id) between 1 and 128),
  add constraint faults_shown check ((proof is null) = (evidence is not null) and (proof is null) = (protocol is null));

-- Each of the other parties reports the same fault: it is kept once.
create unique index faults_once on faults (session_id, culprit, check_name) where proof is not null;
create index faults_by_culprit on faults (culprit, id desc);

-- Of each signer the newest 32 are kept, so that one that deviates again and again pushes out evidence against itself alone.
-- Orchestrators have no right to delete: the table does it, with the right of its owner.
create function keep_newest_faults() returns trigger language plpgsql security definer
  set search_path = pg_catalog, pg_temp as $$
begin
  delete from public.faults
   where culprit = new.culprit
     and id <= (select id from public.faults where culprit = new.culprit order by id desc offset 32 limit 1);
  return null;
end
$$;
create trigger keep_newest after insert on faults for each row execute function keep_newest_faults();
