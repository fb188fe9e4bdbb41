-- A person's credential that was deleted keeps its row, inactive: nobody registers its credId again, and a start that enters the first
-- administrators of a file does not bring it back. A gateway of the version before shows it as one that is not active.
alter table credentials add column date_archived timestamptz;
