-- +goose Up
-- Accounts of organizations at fleet-telematics providers. secret is sealed with the server key, and so is the one before the
-- last edit; both are emptied once a deletion can't be undone anymore. state is JSON: what asking the provider said.
CREATE TABLE integration (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organization (id),
  provider TEXT NOT NULL,
  name TEXT NOT NULL,
  server TEXT NOT NULL,
  account_database TEXT NOT NULL,
  account_user TEXT NOT NULL,
  secret TEXT NOT NULL,
  secret_before TEXT NOT NULL,
  lights TEXT NOT NULL,
  is_active BOOLEAN NOT NULL,
  feed_cursor TEXT NOT NULL,
  state TEXT NOT NULL,
  next_fetch_at BIGINT NOT NULL,
  version BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  deleted_at BIGINT NOT NULL
);
CREATE INDEX integration_of_organization ON integration (organization_id, id);
CREATE INDEX integration_due ON integration (next_fetch_at) WHERE is_active AND deleted_at = 0;

-- Of which account an asset's identifier is; empty = a person typed it.
ALTER TABLE thing_integration ADD COLUMN account TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE thing_integration DROP COLUMN account;
DROP TABLE integration;
