-- +goose Up
-- What GET /organization/changes tells: when the server learned that an incident began and ended, and when an asset was made known.
ALTER TABLE location ADD COLUMN learned_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE location ADD COLUMN learned_end_at BIGINT NOT NULL DEFAULT 0;
UPDATE location SET learned_at = start_at, learned_end_at = CASE WHEN is_active THEN 0 ELSE end_at END;
ALTER TABLE thing ADD COLUMN created_at BIGINT NOT NULL DEFAULT 0;
UPDATE thing SET created_at = updated_at WHERE version = 1;

-- +goose Down
ALTER TABLE thing DROP COLUMN created_at;
ALTER TABLE location DROP COLUMN learned_end_at;
ALTER TABLE location DROP COLUMN learned_at;
