-- +goose Up
-- Alerting zones as people draw them. active: as listeners were told last; left_at: when the last alerting asset left, 0 = never.
CREATE TABLE zone (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organization (id),
  external_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  alert_message TEXT NOT NULL,
  description TEXT NOT NULL,
  features TEXT NOT NULL,
  expiry_s BIGINT NOT NULL,
  active BOOLEAN NOT NULL,
  left_at BIGINT NOT NULL,
  version BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  deleted_at BIGINT NOT NULL
);
CREATE INDEX zone_of_organization ON zone (organization_id, id);
CREATE INDEX zone_changed ON zone (organization_id, updated_at);

-- +goose Down
DROP TABLE zone;
