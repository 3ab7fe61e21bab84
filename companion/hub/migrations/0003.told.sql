-- The names at the seats as the table told them when its result was confirmed, in their order:
-- where it corrects one later, somebody is asked whose result it is.
-- depends: 0002.club
ALTER TABLE games ADD COLUMN told text[];
