-- +goose Up
-- Feeds of others that organizations read. address is sealed with the server key; url is what of it may be read
-- back. state is JSON: what the fetches said. brings: closures or hazards of it may stand.
CREATE TABLE feed_subscription (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organization (id),
  name TEXT NOT NULL,
  format TEXT NOT NULL,
  url TEXT NOT NULL,
  address TEXT NOT NULL,
  is_active BOOLEAN NOT NULL,
  columns TEXT NOT NULL,
  types TEXT NOT NULL,
  timezone TEXT NOT NULL,
  time_format TEXT NOT NULL,
  state TEXT NOT NULL,
  next_fetch_at BIGINT NOT NULL,
  brings BOOLEAN NOT NULL,
  version BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  deleted_at BIGINT NOT NULL
);
CREATE INDEX feed_subscription_of_organization ON feed_subscription (organization_id, id);
CREATE INDEX feed_subscription_due ON feed_subscription (next_fetch_at) WHERE is_active AND deleted_at = 0;

-- Which feed brought it (empty = none) and how that is called: ids of feeds are unique within their feed alone.
ALTER TABLE closure ADD COLUMN feed_subscription_id TEXT NOT NULL DEFAULT '';
ALTER TABLE closure ADD COLUMN source TEXT NOT NULL DEFAULT '';
DROP INDEX closure_external_id;
CREATE UNIQUE INDEX closure_external_id ON closure (external_id)
  WHERE external_id <> '' AND deleted_at = 0 AND feed_subscription_id = '';
CREATE UNIQUE INDEX closure_of_feed ON closure (feed_subscription_id, external_id)
  WHERE feed_subscription_id <> '' AND deleted_at = 0;
CREATE INDEX closure_published ON closure (organization_id, updated_at, version) WHERE feed_subscription_id = '';
ALTER TABLE hazard ADD COLUMN feed_subscription_id TEXT NOT NULL DEFAULT '';
DROP INDEX hazard_of_sender;
CREATE UNIQUE INDEX hazard_of_sender ON hazard (organization_id, feed_subscription_id, external_id);
CREATE INDEX hazard_of_feed ON hazard (feed_subscription_id) WHERE feed_subscription_id <> '' AND ended_at = 0;

-- +goose Down
DELETE FROM closure WHERE feed_subscription_id <> '';
DELETE FROM hazard WHERE feed_subscription_id <> '';
DROP INDEX closure_published;
DROP INDEX closure_of_feed;
DROP INDEX closure_external_id;
DROP INDEX hazard_of_feed;
DROP INDEX hazard_of_sender;
ALTER TABLE closure DROP COLUMN source;
ALTER TABLE closure DROP COLUMN feed_subscription_id;
ALTER TABLE hazard DROP COLUMN feed_subscription_id;
CREATE UNIQUE INDEX closure_external_id ON closure (external_id) WHERE external_id <> '' AND deleted_at = 0;
CREATE UNIQUE INDEX hazard_of_sender ON hazard (organization_id, external_id);
DROP TABLE feed_subscription;
