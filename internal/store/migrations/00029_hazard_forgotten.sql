-- +goose Up
-- Hazards that left the lists long ago are deleted, the oldest first.
CREATE INDEX hazard_left ON hazard (deleted_at) WHERE deleted_at > 0;

-- +goose Down
DROP INDEX hazard_left;
