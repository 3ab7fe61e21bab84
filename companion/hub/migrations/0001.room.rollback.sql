DROP TABLE evenings, set_aside, openings, events, chains, tables;
DROP FUNCTION refuse_change();
