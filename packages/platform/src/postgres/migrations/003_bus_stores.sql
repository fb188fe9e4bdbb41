-- Every store that the message bus ever had. A new one has forgotten the requests that an older one acknowledged.
create table bus_stores (
  name text primary key,
  date_seen timestamptz not null
);
