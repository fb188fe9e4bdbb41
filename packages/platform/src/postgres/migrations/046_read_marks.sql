-- Blocks that were read before, with their hashes, the newest first: a chain that was rewritten is read again from the last one that it
-- still holds. A list of {height, hash}; heights are texts, as JSON has no exact numbers above 2^53.
alter table read_blocks add column marks jsonb not null default '[]';
