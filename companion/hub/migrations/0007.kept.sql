-- Beside which result of its table the organiser kept what counts: that one is asked about no more.
-- depends: 0006.joined
ALTER TABLE games ADD COLUMN kept_beside text;
