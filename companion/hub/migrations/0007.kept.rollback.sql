ALTER TABLE games DROP COLUMN kept_beside;
