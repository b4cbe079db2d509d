-- +goose Up
-- Work zones. Whether one is active follows from start_at, end_at and the clock.
CREATE TABLE closure (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  out_of_service BOOLEAN NOT NULL,
  description TEXT NOT NULL,
  alert_message TEXT NOT NULL,
  direction TEXT NOT NULL,
  impacted_lanes TEXT NOT NULL,
  total_lanes INTEGER NOT NULL,
  geocoded_route TEXT NOT NULL,
  calculated_route TEXT NOT NULL,
  user_route TEXT NOT NULL,
  street_start TEXT NOT NULL,
  street_end TEXT NOT NULL,
  road_name TEXT NOT NULL,
  is_published BOOLEAN NOT NULL,
  external_id TEXT NOT NULL,
  location_method TEXT NOT NULL,
  vehicle_impact TEXT NOT NULL,
  group_id TEXT NOT NULL,
  start_at BIGINT NOT NULL,
  end_at BIGINT NOT NULL,
  last_start_at BIGINT NOT NULL,
  ended_at BIGINT NOT NULL,
  end_reason TEXT NOT NULL,
  end_estimated BOOLEAN NOT NULL,
  verified_at BIGINT NOT NULL,
  verified_by TEXT NOT NULL,
  thing_id TEXT NOT NULL,
  responsible_user_id TEXT NOT NULL,
  asked_at BIGINT NOT NULL,
  recurrence TEXT NOT NULL,
  version BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  deleted_at BIGINT NOT NULL
);
CREATE INDEX closure_of_organization ON closure (organization_id, id);
-- version: what tells a feed whether anything changed reads nothing but the index
CREATE INDEX closure_changed ON closure (organization_id, updated_at, version);
CREATE INDEX closure_of_thing ON closure (thing_id) WHERE thing_id <> '' AND deleted_at = 0;
-- Feeds name closures by it: no two closures of the server share one until one is deleted.
CREATE UNIQUE INDEX closure_external_id ON closure (external_id) WHERE external_id <> '' AND deleted_at = 0;

-- +goose Down
DROP TABLE closure;
