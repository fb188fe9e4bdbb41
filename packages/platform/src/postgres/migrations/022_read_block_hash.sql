-- Which block was read last: a chain that holds another one at that height was rewritten below it, and is read again.
-- Null until the end of the first round that reads a block.
alter table read_blocks add column hash text;
