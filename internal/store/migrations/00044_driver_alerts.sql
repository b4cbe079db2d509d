-- +goose Up
ALTER TABLE organization ADD COLUMN alerts_public BOOLEAN NOT NULL DEFAULT FALSE;

-- +goose Down
ALTER TABLE organization DROP COLUMN alerts_public;
