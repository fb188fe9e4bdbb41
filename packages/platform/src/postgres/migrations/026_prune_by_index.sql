-- outside a transaction: these indexes are built while the tables are written to. One that was interrupted is left invalid, and made anew.
drop index concurrently if exists outbox_published;
create index concurrently outbox_published on outbox (date_published) where date_published is not null;
drop index concurrently if exists events_by_age;
create index concurrently events_by_age on events (date);
