-- Finished games that the organiser let count for nobody: one played for a trial, or told twice.
-- depends: 0004.forgotten
CREATE TABLE left_out (
    table_id text NOT NULL,
    evening text NOT NULL,
    PRIMARY KEY (table_id, evening),
    FOREIGN KEY (table_id, evening) REFERENCES evenings (table_id, evening) ON DELETE CASCADE
);
