-- +goose Up
-- out_of_service_at is since when an asset is not in service, 0 = it is. Of those before, nobody knows more than their last edit.
ALTER TABLE thing ADD COLUMN out_of_service_at BIGINT NOT NULL DEFAULT 0;
UPDATE thing SET out_of_service_at = updated_at WHERE NOT in_service;
-- counted_to is until when an asset at a station counted for the station's cover.
ALTER TABLE visit ADD COLUMN counted_to BIGINT NOT NULL DEFAULT 0;
UPDATE visit SET counted_to = left_at WHERE left_at > 0;

-- +goose Down
ALTER TABLE visit DROP COLUMN counted_to;
ALTER TABLE thing DROP COLUMN out_of_service_at;
