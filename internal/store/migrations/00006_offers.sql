-- +goose Up
-- An organization asks another one to manage or read its assets; a relation begins when the other accepts.
-- other_id points nowhere on purpose: who offers does not learn whether it is anybody's. A row that has ended
-- stays until it expires, so that asking again and again counts, and mails nobody twice a day.

CREATE TABLE organization_offer (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organization (id),
  other_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  ended_at BIGINT NOT NULL,
  told_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX organization_offer_pair ON organization_offer (organization_id, other_id);
CREATE INDEX organization_offer_other ON organization_offer (other_id);

-- +goose Down
DROP TABLE organization_offer;
