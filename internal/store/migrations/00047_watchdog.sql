-- +goose Up
-- What an organization asks of the watchdog; no row: what fleet.NewWatchdog says. modes is JSON, a mode by rule.
CREATE TABLE watchdog (
  organization_id TEXT PRIMARY KEY REFERENCES organization (id),
  modes TEXT NOT NULL,
  quiet_from TEXT NOT NULL,
  quiet_to TEXT NOT NULL,
  version BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);

ALTER TABLE mail_choice ADD COLUMN findings BOOLEAN NOT NULL DEFAULT FALSE;

-- What the watchdog found: ended_at 0 = it is still so. about_* says what it is about, mailed is JSON: who was told and when.
CREATE TABLE finding (
  id TEXT PRIMARY KEY,
  rule TEXT NOT NULL,
  thing_id TEXT NOT NULL,
  organization_id TEXT NOT NULL REFERENCES organization (id),
  about_type TEXT NOT NULL,
  about_id TEXT NOT NULL,
  about_name TEXT NOT NULL,
  began_at BIGINT NOT NULL,
  found_at BIGINT NOT NULL,
  ended_at BIGINT NOT NULL,
  trial BOOLEAN NOT NULL,
  mailed TEXT NOT NULL,
  held BOOLEAN NOT NULL
);
CREATE INDEX finding_of_organization ON finding (organization_id, found_at, id);
CREATE INDEX finding_of_thing ON finding (thing_id, found_at, id);
CREATE INDEX finding_open ON finding (id) WHERE ended_at = 0;
CREATE INDEX finding_ended ON finding (ended_at, id) WHERE ended_at > 0;

-- +goose Down
DROP TABLE finding;
ALTER TABLE mail_choice DROP COLUMN findings;
DROP TABLE watchdog;
