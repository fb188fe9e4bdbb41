-- Each orchestrator marks the records again and again with a number that only rises. Where its own mark is lower than it left it, or gone, the
-- records were put back to an earlier moment.
create table record_marks (
  process uuid primary key,
  mark bigint not null,
  date_marked timestamptz not null
);
create index record_marks_old on record_marks (date_marked);
