-- +goose Up
ALTER TABLE organization ADD COLUMN alerts_public BOOLEAN NOT NULL DEFAULT FALSE;

-- How many drivers were shown an alert of the event's assets, as their apps say; not measured: no app said anything.
ALTER TABLE location ADD COLUMN drivers_measured BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE location ADD COLUMN drivers_alerted BIGINT NOT NULL DEFAULT 0;

-- Alerts that drivers were shown, by the ids that drivers know: which asset, closure, or hazard (source_id) it was, at which
-- event, and when. No position is kept. drivers were shown it, first_at is when the first of them said so.
CREATE TABLE driver_alert (
  organization_id TEXT NOT NULL,
  id TEXT NOT NULL,
  category TEXT NOT NULL,
  source_id TEXT NOT NULL,
  location_id TEXT NOT NULL,
  began_at BIGINT NOT NULL,
  ended_at BIGINT NOT NULL,
  first_at BIGINT NOT NULL,
  drivers BIGINT NOT NULL,
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX driver_alert_first ON driver_alert (first_at, organization_id, id);
CREATE INDEX driver_alert_of_organization ON driver_alert (organization_id, first_at);

-- Which reader (a keyed hash of what its app calls it) was counted for an alert: so that none is counted twice.
CREATE TABLE driver_impression (
  organization_id TEXT NOT NULL,
  consumer TEXT NOT NULL,
  alert_id TEXT NOT NULL,
  at BIGINT NOT NULL,
  PRIMARY KEY (organization_id, consumer, alert_id)
);
CREATE INDEX driver_impression_at ON driver_impression (at);

-- In which hours (since 1970, UTC) apps told an organization what their drivers were shown: in others it was not measured.
CREATE TABLE driver_hour (
  organization_id TEXT NOT NULL,
  slot BIGINT NOT NULL,
  PRIMARY KEY (organization_id, slot)
);

-- +goose Down
DROP TABLE driver_hour;
DROP TABLE driver_impression;
DROP TABLE driver_alert;
ALTER TABLE location DROP COLUMN drivers_alerted;
ALTER TABLE location DROP COLUMN drivers_measured;
ALTER TABLE organization DROP COLUMN alerts_public;
