-- +goose Up
-- Which of an organization's assets are responders follows from its assets; what was said here once stayed for ever.
ALTER TABLE organization DROP COLUMN responders_type;

-- +goose Down
ALTER TABLE organization ADD COLUMN responders_type TEXT NOT NULL DEFAULT 'none';
