CREATE TABLE IF NOT EXISTS runs (
    run_id       text PRIMARY KEY,
    product_slug text NOT NULL,
    family       text NOT NULL,
    platform     text NOT NULL,
    site_profile text NOT NULL,
    owner        text NOT NULL,
    state        text NOT NULL,
    activity     text NOT NULL,
    started_at   text NOT NULL,
    finished_at  text NOT NULL,
    last_seq     integer NOT NULL
) WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS runs_by_start ON runs (started_at DESC, run_id DESC);
CREATE INDEX IF NOT EXISTS runs_by_activity ON runs (activity, run_id);

CREATE TABLE IF NOT EXISTS idempotency_keys (
    key_hash     text PRIMARY KEY,
    request_hash text NOT NULL,
    run_id       text NOT NULL
) WITHOUT ROWID;

-- A released lease keeps its row with expires_at 0, so that fences only grow.
CREATE TABLE IF NOT EXISTS leases (
    run_id       text PRIMARY KEY,
    owner        text NOT NULL,
    operation    text NOT NULL,
    site_profile text NOT NULL, -- empty for those that take no place among the executors
    fence        integer NOT NULL,
    expires_at   integer NOT NULL -- milliseconds
) WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS leases_by_profile ON leases (site_profile, expires_at);
