-- +goose Up
-- Whoever asked for an export wants a mail when it is done.
ALTER TABLE export ADD COLUMN mails BOOLEAN NOT NULL DEFAULT FALSE;

-- +goose Down
ALTER TABLE export DROP COLUMN mails;
