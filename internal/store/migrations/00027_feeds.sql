-- +goose Up
ALTER TABLE organization ADD COLUMN feeds_public BOOLEAN NOT NULL DEFAULT FALSE;
-- Who read which document of closures, a row for each day and each state of the document: state_at is
-- the newest change that it told.
CREATE TABLE feed_fetch (
  organization_id TEXT NOT NULL,
  key_id TEXT NOT NULL,
  document TEXT NOT NULL,
  state_at BIGINT NOT NULL,
  day BIGINT NOT NULL,
  first_at BIGINT NOT NULL,
  last_at BIGINT NOT NULL,
  fetches BIGINT NOT NULL,
  PRIMARY KEY (organization_id, key_id, document, state_at, day)
);
CREATE INDEX feed_fetch_day ON feed_fetch (day);

-- +goose Down
DROP TABLE feed_fetch;
ALTER TABLE organization DROP COLUMN feeds_public;
