-- +goose Up
-- address_before is the sealed address that a subscription had before its last edit, for who takes that back; empty = it is
-- not known. Closures of a feed that comes back get their ids again.
ALTER TABLE feed_subscription ADD COLUMN address_before TEXT NOT NULL DEFAULT '';
CREATE INDEX closure_of_feed_gone ON closure (feed_subscription_id, external_id) WHERE feed_subscription_id <> '' AND deleted_at > 0;

-- +goose Down
DROP INDEX closure_of_feed_gone;
ALTER TABLE feed_subscription DROP COLUMN address_before;
