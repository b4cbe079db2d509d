-- +goose Up
-- Who reported a hazard by hand, JSON; '' = a sender, a file, or a feed did.
ALTER TABLE hazard ADD COLUMN reported_by TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE hazard DROP COLUMN reported_by;
