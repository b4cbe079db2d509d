-- +goose Up
-- What senders report of dangers on roads. Its own end, what ended it, and when the clock has to look at it again (0 = never more);
-- weight is what it takes of its organization's allowance. confirmed_by and ended_by are JSON, '' = nobody.
CREATE TABLE hazard (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organization (id),
  external_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  lat DOUBLE PRECISION NOT NULL,
  lng DOUBLE PRECISION NOT NULL,
  street TEXT NOT NULL,
  description TEXT NOT NULL,
  source TEXT NOT NULL,
  start_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  features TEXT NOT NULL,
  confirmed_at BIGINT NOT NULL,
  confirmed_by TEXT NOT NULL,
  ended_at BIGINT NOT NULL,
  end_reason TEXT NOT NULL,
  ended_by TEXT NOT NULL,
  said_at BIGINT NOT NULL,
  due_at BIGINT NOT NULL,
  weight BIGINT NOT NULL,
  version BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  deleted_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX hazard_of_sender ON hazard (organization_id, external_id);
CREATE INDEX hazard_of_organization ON hazard (organization_id, id) WHERE deleted_at = 0;
CREATE INDEX hazard_changed ON hazard (organization_id, updated_at);
CREATE INDEX hazard_due ON hazard (due_at) WHERE due_at > 0;

-- +goose Down
DROP TABLE hazard;
