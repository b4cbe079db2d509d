-- +goose Up
-- Under what terms an organization publishes its closures: an id of the catalog, an address, or empty = not said.
ALTER TABLE organization ADD COLUMN feed_license TEXT NOT NULL DEFAULT '';
-- Until now every feed said CC0: whoever publishes goes on saying so.
UPDATE organization SET feed_license = 'CC0-1.0' WHERE wzdx;

-- +goose Down
ALTER TABLE organization DROP COLUMN feed_license;
