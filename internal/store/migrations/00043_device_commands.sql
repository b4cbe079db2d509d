-- +goose Up
-- What devices are asked to do, and what became of it. A command is for the
-- owner of the asset at that time; once_key knows a press that is sent again.
CREATE TABLE device_command (
  id TEXT PRIMARY KEY,
  thing_id TEXT NOT NULL REFERENCES thing (id),
  organization_id TEXT NOT NULL REFERENCES organization (id),
  type TEXT NOT NULL,
  value TEXT NOT NULL,
  status TEXT NOT NULL,
  issued_at BIGINT NOT NULL,
  sent_at BIGINT NOT NULL,
  acknowledged_at BIGINT NOT NULL,
  said_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  issued_kind TEXT NOT NULL,
  issued_id TEXT NOT NULL,
  issued_name TEXT NOT NULL,
  issued_in TEXT NOT NULL,
  message TEXT NOT NULL,
  once_key TEXT NOT NULL,
  version BIGINT NOT NULL
);
CREATE INDEX device_command_of_thing ON device_command (thing_id, id);
CREATE INDEX device_command_of_organization ON device_command (organization_id, id);
CREATE INDEX device_command_open ON device_command (expires_at) WHERE status IN ('accepted', 'sent');
CREATE UNIQUE INDEX device_command_once ON device_command (once_key) WHERE once_key <> '';

-- When test mode ends by itself; 0 = it is off.
ALTER TABLE thing ADD COLUMN test_mode_until BIGINT NOT NULL DEFAULT 0;
CREATE INDEX thing_test_mode ON thing (test_mode_until) WHERE test_mode_until > 0;

-- +goose Down
DROP INDEX thing_test_mode;
ALTER TABLE thing DROP COLUMN test_mode_until;
DROP TABLE device_command;
