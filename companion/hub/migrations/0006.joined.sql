-- Two players who were made one: what was the first one's, so that they can be parted again.
-- `last_game` is the newest game that counted then; those after it are nobody's but `kept`'s.
-- depends: 0005.left-out
CREATE TABLE joined (
    gone bigint PRIMARY KEY,
    kept bigint NOT NULL,
    name text NOT NULL,
    secret text,
    added_at timestamptz NOT NULL,
    joined_at timestamptz NOT NULL DEFAULT now(),
    last_game bigint NOT NULL,
    moved jsonb NOT NULL
);
