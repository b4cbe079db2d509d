-- +goose Up
-- Monthly reports: what a month of an organization was, and when that was looked at last.
-- state is a mark of the figures and rows: made again with the same ones, a report stays as it is.
CREATE TABLE monthly_report (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organization (id),
  year BIGINT NOT NULL,
  month BIGINT NOT NULL,
  time_zone TEXT NOT NULL,
  start_at BIGINT NOT NULL,
  end_at BIGINT NOT NULL,
  state TEXT NOT NULL,
  checked_at BIGINT NOT NULL,
  made_at BIGINT NOT NULL,
  version BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  UNIQUE (organization_id, year, month)
);

-- The figures of a report and the rows behind them: JSON, packed, so many rows in a body.
CREATE TABLE monthly_report_body (
  report_id TEXT NOT NULL REFERENCES monthly_report (id),
  kind TEXT NOT NULL,
  part BIGINT NOT NULL,
  row_count BIGINT NOT NULL,
  body BYTEA NOT NULL,
  PRIMARY KEY (report_id, kind, part)
);

-- How often a key read feeds of an organization on a day of its time zone; an empty key stands for readers without one.
CREATE TABLE feed_read (
  organization_id TEXT NOT NULL,
  key_id TEXT NOT NULL,
  date TEXT NOT NULL,
  requests BIGINT NOT NULL,
  PRIMARY KEY (organization_id, key_id, date)
);

-- How many reports of an asset were refused in an hour (since 1970, UTC). Asset 0 says since which hour that is counted.
CREATE TABLE refused_report (
  thing_no BIGINT NOT NULL,
  slot BIGINT NOT NULL,
  refused BIGINT NOT NULL,
  PRIMARY KEY (thing_no, slot)
);

-- +goose Down
DROP TABLE refused_report;
DROP TABLE feed_read;
DROP TABLE monthly_report_body;
DROP TABLE monthly_report;
