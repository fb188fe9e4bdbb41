-- A person's credential that was deleted keeps its row, inactive, as long as there is room for it: nobody registers its credId again. A gateway
-- of the version before shows it as one that is not active, and cannot activate it.
alter table credentials add column date_archived timestamptz;
alter table credentials add constraint credentials_archived_inactive check (date_archived is null or not is_active);
