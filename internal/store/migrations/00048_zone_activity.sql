-- +goose Up
-- When an alerting zone became active; 0 = it is not. What is told of an activity keeps its name over a restart.
ALTER TABLE zone ADD COLUMN began_at BIGINT NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE zone DROP COLUMN began_at;
