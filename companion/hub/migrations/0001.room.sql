-- What the tables of the room have told. Chains and events are never changed.

CREATE TABLE tables (
    id text PRIMARY KEY,
    name text NOT NULL,
    is_shut_out boolean NOT NULL DEFAULT false,
    first_heard_at timestamptz NOT NULL DEFAULT now()
);

-- A table's log is one chain; a log that had to be begun anew is another one.
CREATE TABLE chains (
    table_id text NOT NULL REFERENCES tables (id),
    chain text NOT NULL,
    began_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (table_id, chain)
);

-- The messages of a chain: each tells row `number` of the table's log, or opens an earlier one.
-- What a row says lies in `openings`, a hand's only after the reveal.
CREATE TABLE events (
    table_id text NOT NULL,
    event_id text NOT NULL,
    chain text NOT NULL,
    place integer NOT NULL CHECK (place > 0),
    number integer NOT NULL CHECK (number > 0),
    at_s double precision NOT NULL,
    before_id text NOT NULL,
    commitment text NOT NULL,
    received_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (table_id, event_id),
    UNIQUE (table_id, chain, place),
    FOREIGN KEY (table_id, chain) REFERENCES chains (table_id, chain)
);

CREATE TABLE openings (
    table_id text NOT NULL,
    event_id text NOT NULL,
    kind text NOT NULL,
    data text NOT NULL,
    nonce text NOT NULL,
    received_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (table_id, event_id),
    FOREIGN KEY (table_id, event_id) REFERENCES events (table_id, event_id)
);

-- Messages that no table of ours can have sent, as they came, with the reason.
CREATE TABLE set_aside (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    table_id text NOT NULL,
    topic text NOT NULL,
    payload text NOT NULL,
    reason jsonb NOT NULL,
    received_at timestamptz NOT NULL DEFAULT now()
);

-- Finished games, worked out from the events: one row a game, renewed when it was corrected.
-- `game` is its GAME.json, `result` the document of `companion score --json`.
CREATE TABLE evenings (
    table_id text NOT NULL REFERENCES tables (id),
    evening text NOT NULL,
    board text NOT NULL,
    began_at timestamptz NOT NULL,
    ended_at timestamptz NOT NULL,
    game jsonb NOT NULL,
    result jsonb NOT NULL,
    is_deleted boolean NOT NULL DEFAULT false,
    PRIMARY KEY (table_id, evening)
);

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND current_setting('companion.forget', true) = 'on' THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'what tables told is append-only';
END
$$;

CREATE TRIGGER events_stay BEFORE UPDATE OR DELETE ON events
    FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER openings_stay BEFORE UPDATE OR DELETE ON openings
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
