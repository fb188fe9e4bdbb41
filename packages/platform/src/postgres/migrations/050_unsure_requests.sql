-- Requests that may have been carried out before the records were put back, of which their chain does not show enough to tell. Orchestrators
-- write which and why; an operator alone rules out that one was carried out.
create table unsure_requests (
  request_id text primary key references chain_requests (id),
  since timestamptz not null default now(),
  why text not null,
  ruled_out timestamptz
);
