-- How many requests an organisation, or one of its end users, may still send in this minute: gateways take their parts of it here.
-- Lost in a crash, which costs nothing: it is of the last minute.
create unlogged table request_windows (
  subject text primary key,
  date_ends timestamptz not null,
  -- by all gateways together
  taken integer not null,
  -- of these, by whoever asked last
  granted integer not null
);
create index request_windows_by_end on request_windows (date_ends);
