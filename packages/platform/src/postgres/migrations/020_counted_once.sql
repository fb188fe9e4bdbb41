-- Of a request and those that take its place at most one lands, so that velocities count the highest of them, once. The line is
-- named by its first request. Rows of earlier versions have none, and count each for itself.
alter table wallet_spendings add column line text;
create index wallet_spendings_by_request on wallet_spendings (request_id);
