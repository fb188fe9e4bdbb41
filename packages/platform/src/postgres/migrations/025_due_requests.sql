-- What orchestrators are to do, one row for each request that is asked for and not yet carried out. The row says when it is due,
-- who has it, and behind what it waits; all else stands in the request's own table.
create table due_requests (
  id text primary key,
  kind text not null check (kind in ('transfer', 'transaction', 'key', 'export', 'signature')),
  org_id text not null,
  -- what is worked on side by side with limits of its own: a network, or a kind
  lane text not null,
  -- requests of one line are taken one after another; null for those that wait for nobody
  line text,
  seq bigint generated always as identity,
  is_head boolean not null default true,
  is_told boolean not null default false,
  due_at timestamptz not null default now(),
  asked bigint not null default 1,
  token uuid,
  held_since timestamptz,
  attempts integer not null default 0,
  failures integer not null default 0,
  parked_at timestamptz,
  reason text
);
create index due_requests_due on due_requests (due_at) where is_head and parked_at is null;
create index due_requests_line on due_requests (line, seq) where line is not null;
create index due_requests_untold on due_requests (seq) where not is_head and not is_told;
create index due_requests_parked on due_requests (parked_at) where parked_at is not null;

-- Whose request a lane took last, so that organisations take turns.
create table served_turns (
  lane text not null,
  org_id text not null,
  date_served timestamptz not null,
  primary key (lane, org_id)
);

-- One request of a line is its head. The lock makes who joins and who leaves look one after another: else one could join behind a
-- head that is just leaving, and wait for nobody.
create function lock_line(line text) returns void language sql as
  $$ select pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended(line, 1025)) $$;

create function join_line() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  perform public.lock_line(new.line);
  new.is_head := not exists (select from public.due_requests where line = new.line and is_head and id <> new.id);
  return new;
end
$$;
create trigger join_line before insert on due_requests for each row when (new.line is not null)
  execute function join_line();
create trigger rejoin_line before update on due_requests for each row
  when (new.line is not null and old.parked_at is not null and new.parked_at is null)
  execute function join_line();

create function leave_line() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  perform public.lock_line(old.line);
  update public.due_requests set is_head = true, due_at = now()
   where id = (select id from public.due_requests where line = old.line and parked_at is null order by seq limit 1)
     and not exists (select from public.due_requests where line = old.line and is_head);
  return null;
end
$$;
create trigger leave_line after delete on due_requests for each row when (old.line is not null and old.is_head)
  execute function leave_line();
create trigger let_go_of_line after update on due_requests for each row
  when (old.line is not null and old.is_head and not new.is_head)
  execute function leave_line();

-- What was accepted before this table was there.
insert into due_requests (id, kind, org_id, lane)
  select id, lower(kind), org_id, network from chain_requests
   where status in ('Pending', 'Executing') and authorisation is not null
  union all
  select id, 'signature', org_id, 'signature' from signatures
   where status in ('Pending', 'Executing') and authorisation is not null
  union all
  select id, 'key', org_id, 'key' from keys where status = 'Creating'
  union all
  select id, 'export', org_id, 'export' from key_exports where status = 'Pending';

-- What asked for requests by the message bus.
delete from outbox where subject like 'conclave.request.%';
drop table bus_stores;
drop index chain_requests_in_line;
