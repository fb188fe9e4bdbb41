-- Challenges that a code for another device began. They stand in tokens, like all others, and in rows too, so that they end with what
-- their user ends; one that is answered goes at once.
create table code_challenges (
  id uuid primary key,
  user_id text not null references users (id),
  date_expires timestamptz not null
);
create index code_challenges_by_user on code_challenges (user_id);
create index code_challenges_by_expiry on code_challenges (date_expires);
