-- +goose Up
-- Which version of its configuration a device says that it has (applied_at 0 = it never said), since when that is another
-- one than it should have, and when and how often the present one was handed to it.
ALTER TABLE device_config ADD COLUMN applied_version BIGINT NOT NULL DEFAULT 0;
ALTER TABLE device_config ADD COLUMN applied_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE device_config ADD COLUMN behind_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE device_config ADD COLUMN sent_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE device_config ADD COLUMN sent_count BIGINT NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE device_config DROP COLUMN sent_count;
ALTER TABLE device_config DROP COLUMN sent_at;
ALTER TABLE device_config DROP COLUMN behind_at;
ALTER TABLE device_config DROP COLUMN applied_at;
ALTER TABLE device_config DROP COLUMN applied_version;
