-- Names that were deleted, each as a checksum with a secret number, so that it goes out of what
-- tables tell later of games that began before.
-- depends: 0003.told
CREATE TABLE forgotten (
    mark text PRIMARY KEY,
    salt text NOT NULL,
    deleted_at timestamptz NOT NULL DEFAULT now()
);
