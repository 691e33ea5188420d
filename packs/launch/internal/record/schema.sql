CREATE TABLE IF NOT EXISTS records (
    event_id      text PRIMARY KEY,
    run_id        text NOT NULL,
    parent_run_id text NOT NULL,
    job_type      text NOT NULL,
    status        text NOT NULL,
    product       text NOT NULL,
    start_time    text NOT NULL,
    end_time      text NOT NULL,
    body          text NOT NULL -- the record as JSON
) WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS records_by_start ON records (start_time DESC, event_id);
CREATE INDEX IF NOT EXISTS records_by_run ON records (run_id, start_time, event_id);
CREATE INDEX IF NOT EXISTS records_by_parent ON records (parent_run_id, start_time, event_id);
