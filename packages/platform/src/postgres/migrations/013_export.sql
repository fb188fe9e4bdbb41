-- Whether keys of an organisation may be handed out to its clients: off until its operator says otherwise.
alter table organisations add column key_export boolean not null default false;
