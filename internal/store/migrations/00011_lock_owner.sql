-- +goose Up
-- Which process owns the database, so that a successor on its machine knows at once that it has ended; '' = not told.

ALTER TABLE server_lock ADD COLUMN process TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE server_lock DROP COLUMN process;
