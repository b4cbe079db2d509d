-- +goose Up
-- Which assets were at which stations, and until when (0 = still there). Written in the transaction that changes the asset's station.
CREATE TABLE visit (
  area_id TEXT NOT NULL,
  arrived_at BIGINT NOT NULL,
  thing_id TEXT NOT NULL,
  organization_id TEXT NOT NULL,
  thing_type_id TEXT NOT NULL,
  left_at BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (area_id, arrived_at, thing_id)
);
CREATE INDEX visit_left ON visit (left_at);
CREATE INDEX visit_of_type ON visit (area_id, thing_type_id, left_at);

-- Where somebody asked to be told when a station is without its units; the types are ids of asset types, none = any unit.
CREATE TABLE cover (
  user_id TEXT NOT NULL,
  area_id TEXT NOT NULL,
  thing_type_ids TEXT NOT NULL DEFAULT '',
  after_minutes BIGINT NOT NULL DEFAULT 0,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (user_id, area_id)
);

-- +goose Down
DROP TABLE cover;
DROP INDEX visit_of_type;
DROP INDEX visit_left;
DROP TABLE visit;
