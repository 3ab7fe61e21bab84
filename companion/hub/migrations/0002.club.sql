-- A club's people, the games that count for them, and tournament evenings.
-- depends: 0001.room

-- `name` and `secret` (of the person's own link) go when somebody asks to be forgotten.
CREATE TABLE players (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text,
    secret text UNIQUE,
    added_at timestamptz NOT NULL DEFAULT now()
);

-- Every name by which a table may know somebody, their own among them; `key` is it case-folded.
CREATE TABLE aliases (
    key text PRIMARY KEY,
    spelling text NOT NULL,
    player bigint NOT NULL REFERENCES players (id)
);

-- Who said by their own link that they sit at a table with a colour.
CREATE TABLE sittings (
    table_id text NOT NULL REFERENCES tables (id),
    colour text NOT NULL,
    since timestamptz NOT NULL DEFAULT now(),
    player bigint NOT NULL REFERENCES players (id),
    PRIMARY KEY (table_id, colour, since)
);

CREATE TABLE seasons (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL,
    first_day date NOT NULL,
    last_day date NOT NULL CHECK (last_day >= first_day)
);

CREATE TABLE tournaments (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL,
    minutes integer NOT NULL CHECK (minutes > 0),
    lot bigint NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE tournament_tables (
    tournament bigint NOT NULL REFERENCES tournaments (id),
    position integer NOT NULL,
    name text NOT NULL,
    board text NOT NULL,
    places integer NOT NULL,
    PRIMARY KEY (tournament, name)
);

CREATE TABLE entrants (
    tournament bigint NOT NULL REFERENCES tournaments (id),
    player bigint NOT NULL REFERENCES players (id),
    position bigint GENERATED ALWAYS AS IDENTITY,
    is_here boolean NOT NULL DEFAULT true,
    PRIMARY KEY (tournament, player)
);

CREATE TABLE rounds (
    tournament bigint NOT NULL REFERENCES tournaments (id),
    number integer NOT NULL CHECK (number > 0),
    repeats integer NOT NULL,
    is_best boolean NOT NULL,
    drawn_at timestamptz NOT NULL DEFAULT now(),
    began_at timestamptz,
    PRIMARY KEY (tournament, number)
);

CREATE TABLE seatings (
    tournament bigint NOT NULL,
    round integer NOT NULL,
    position integer NOT NULL,
    table_name text NOT NULL,
    board text NOT NULL,
    players bigint[] NOT NULL,
    PRIMARY KEY (tournament, round, table_name),
    FOREIGN KEY (tournament, round) REFERENCES rounds (tournament, number) ON DELETE CASCADE
);

-- Games whose result somebody at the table, or the organiser, has confirmed.
CREATE TABLE games (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    board text NOT NULL,
    ended_at timestamptz NOT NULL,
    table_id text,
    evening text,
    tournament bigint,
    round integer,
    table_name text,
    UNIQUE (table_id, evening),
    UNIQUE (tournament, round, table_name),
    FOREIGN KEY (table_id, evening) REFERENCES evenings (table_id, evening),
    FOREIGN KEY (tournament, round, table_name)
        REFERENCES seatings (tournament, round, table_name)
);

CREATE TABLE game_seats (
    game bigint NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    player bigint NOT NULL REFERENCES players (id),
    position integer NOT NULL,
    points integer NOT NULL,
    rank integer NOT NULL,
    tickets_completed integer NOT NULL DEFAULT 0,
    longest_path integer,
    PRIMARY KEY (game, player)
);
