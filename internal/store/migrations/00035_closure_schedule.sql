-- +goose Up
-- schedule are the times of the week at which a closure of a feed is in force, as JSON; empty = all the time from its start to its end.
ALTER TABLE closure ADD COLUMN schedule TEXT NOT NULL DEFAULT '';
-- turns_at is when the clock next changes what the schedule says, counted from updated_at; 0 = there is none.
ALTER TABLE closure ADD COLUMN turns_at BIGINT NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE closure DROP COLUMN turns_at;
ALTER TABLE closure DROP COLUMN schedule;
