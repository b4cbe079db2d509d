-- +goose Up
-- Where an incident opened: edits keep its marker near. And which of its versions the last edit made: stays raise the version, too.
ALTER TABLE location ADD COLUMN origin_lat DOUBLE PRECISION NOT NULL DEFAULT 0;
ALTER TABLE location ADD COLUMN origin_lng DOUBLE PRECISION NOT NULL DEFAULT 0;
UPDATE location SET origin_lat = lat, origin_lng = lng;
ALTER TABLE location ADD COLUMN edited_version BIGINT NOT NULL DEFAULT 0;
ALTER TABLE location ADD COLUMN edited_at BIGINT NOT NULL DEFAULT 0;

-- Events that a sender reports, without assets: their shape (GeoJSON), their own end, and the instant of the newest report.
ALTER TABLE location ADD COLUMN is_geo_marker BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE location ADD COLUMN features TEXT NOT NULL DEFAULT '';
ALTER TABLE location ADD COLUMN alt DOUBLE PRECISION;
ALTER TABLE location ADD COLUMN expires_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE location ADD COLUMN said_at BIGINT NOT NULL DEFAULT 0;
CREATE UNIQUE INDEX location_event ON location (organization_id, external_id) WHERE is_geo_marker;

-- +goose Down
DROP INDEX location_event;
ALTER TABLE location DROP COLUMN said_at;
ALTER TABLE location DROP COLUMN expires_at;
ALTER TABLE location DROP COLUMN alt;
ALTER TABLE location DROP COLUMN features;
ALTER TABLE location DROP COLUMN is_geo_marker;
ALTER TABLE location DROP COLUMN edited_at;
ALTER TABLE location DROP COLUMN edited_version;
ALTER TABLE location DROP COLUMN origin_lng;
ALTER TABLE location DROP COLUMN origin_lat;
