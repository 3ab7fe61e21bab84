-- The names at the seats as the table told them when its result was confirmed, in their order:
-- where it corrects one later, somebody is asked whose result it is.
-- depends: 0002.club
ALTER TABLE games ADD COLUMN told text[];

-- The name at a seat when somebody took it by their link: where the table has given it to another
-- player since, that one sits there.
ALTER TABLE sittings ADD COLUMN told text;

-- So far a result counted by the names that its evening has now: this program may read others.
UPDATE games SET told = (
    SELECT array_agg(seat ->> 'name' ORDER BY position)
    FROM evenings,
        jsonb_array_elements(result -> 'players') WITH ORDINALITY AS seats (seat, position)
    WHERE (evenings.table_id, evenings.evening) = (games.table_id, games.evening)
);
