-- The last job of each run, waiting or not.
CREATE TABLE IF NOT EXISTS queue_jobs (
    run_id text PRIMARY KEY,
    job_id integer NOT NULL
) WITHOUT ROWID;

-- The last turn that an owner was given.
CREATE TABLE IF NOT EXISTS queue_turns (
    owner text PRIMARY KEY,
    turn  integer NOT NULL
) WITHOUT ROWID;

-- Runs that found no place among the executors of their site profile.
CREATE TABLE IF NOT EXISTS queue_parked (
    run_id       text PRIMARY KEY,
    site_profile text NOT NULL,
    turn         integer NOT NULL
) WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS queue_parked_by_profile ON queue_parked (site_profile, turn);
