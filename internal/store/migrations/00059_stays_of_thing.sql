-- +goose Up
-- Trips, reports, and late points ask where one asset was; nothing asks for the stays of an organization.
DROP INDEX location_thing_organization;
CREATE INDEX location_thing_thing ON location_thing (thing_id, start_at);

-- +goose Down
DROP INDEX location_thing_thing;
CREATE INDEX location_thing_organization ON location_thing (organization_id, start_at);
