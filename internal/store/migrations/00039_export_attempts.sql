-- +goose Up
-- How often a server began to make an export: one that always ends its server must not be begun for ever.
ALTER TABLE export ADD COLUMN attempts BIGINT NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE export DROP COLUMN attempts;
