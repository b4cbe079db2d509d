-- +goose Up
-- Exports: what was asked for, how far it is, and the files it has; the files lie in the data folder.
CREATE TABLE export (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organization (id),
  requested_by TEXT NOT NULL,
  requested_by_name TEXT NOT NULL,
  kind TEXT NOT NULL,
  title TEXT NOT NULL,
  start_at BIGINT NOT NULL,
  end_at BIGINT NOT NULL,
  use_utc BOOLEAN NOT NULL,
  time_zone TEXT NOT NULL,
  thing_ids TEXT NOT NULL,
  without_things BOOLEAN NOT NULL,
  closure_types TEXT NOT NULL,
  formats TEXT NOT NULL,
  status TEXT NOT NULL,
  progress DOUBLE PRECISION NOT NULL,
  row_count BIGINT NOT NULL,
  error TEXT NOT NULL,
  files TEXT NOT NULL,
  requested_at BIGINT NOT NULL,
  completed_at BIGINT NOT NULL,
  version BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  deleted_at BIGINT NOT NULL
);
CREATE INDEX export_of_organization ON export (organization_id, id);
CREATE INDEX export_changed ON export (organization_id, updated_at);
CREATE INDEX export_waiting ON export (requested_at) WHERE deleted_at = 0 AND completed_at = 0;
CREATE INDEX export_ended ON export (completed_at) WHERE deleted_at = 0 AND completed_at > 0;

-- +goose Down
DROP TABLE export;
