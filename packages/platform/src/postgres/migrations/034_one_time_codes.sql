-- Codes that serve once, for somebody without a token: to recover an account, or to register a credential on another device. Only the
-- SHA-256 is kept, and a later code takes the place of an earlier one.
create table one_time_codes (
  purpose text not null check (purpose in ('recovery', 'credential')),
  user_id text not null references users (id),
  code_hash bytea not null unique,
  date_expires timestamptz not null,
  primary key (user_id, purpose)
);
create index one_time_codes_by_expiry on one_time_codes (date_expires);
