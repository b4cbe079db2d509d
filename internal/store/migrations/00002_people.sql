-- +goose Up
-- Staff run their own organization: second factors, mail, keys, audit chain, single sign-on.

ALTER TABLE app_user ADD COLUMN invited_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE app_user ADD COLUMN password_notice_at BIGINT NOT NULL DEFAULT 0;
-- Signs in with a password although the organization manages access by single sign-on.
ALTER TABLE app_user ADD COLUMN break_glass BOOLEAN NOT NULL DEFAULT FALSE;

ALTER TABLE organization ADD COLUMN lock_screen_ms BIGINT NOT NULL DEFAULT 0;
ALTER TABLE organization ADD COLUMN mfa_required BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE organization ADD COLUMN sso_only BOOLEAN NOT NULL DEFAULT FALSE;

-- verified_at: when the user last proved who they are (sign-in or step-up).
ALTER TABLE session ADD COLUMN verified_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE session ADD COLUMN method TEXT NOT NULL DEFAULT 'password';

ALTER TABLE one_time ADD COLUMN payload TEXT NOT NULL DEFAULT '';
CREATE INDEX one_time_user ON one_time (user_id, purpose);

CREATE TABLE password_history (
  user_id TEXT NOT NULL REFERENCES app_user (id),
  at BIGINT NOT NULL,
  hash TEXT NOT NULL,
  PRIMARY KEY (user_id, at)
);

-- Mail that waits to be handed on; the body (it may hold a link) goes when it was sent or given up.
CREATE TABLE mail (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  to_address TEXT NOT NULL,
  subject TEXT NOT NULL,
  body TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  next_at BIGINT NOT NULL,
  until_at BIGINT NOT NULL,
  attempts BIGINT NOT NULL,
  sent_at BIGINT NOT NULL,
  failed_at BIGINT NOT NULL,
  error TEXT NOT NULL
);
CREATE INDEX mail_next ON mail (next_at) WHERE sent_at = 0 AND failed_at = 0;

-- secret is sealed with a key derived from the server key; last_step lets a code work once.
CREATE TABLE totp (
  user_id TEXT PRIMARY KEY REFERENCES app_user (id),
  secret TEXT NOT NULL,
  confirmed_at BIGINT NOT NULL,
  last_step BIGINT NOT NULL
);

CREATE TABLE passkey (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES app_user (id),
  name TEXT NOT NULL,
  credential TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  last_used_at BIGINT NOT NULL
);
CREATE INDEX passkey_user ON passkey (user_id);

CREATE TABLE recovery_code (
  user_id TEXT NOT NULL REFERENCES app_user (id),
  hash TEXT NOT NULL,
  used_at BIGINT NOT NULL,
  PRIMARY KEY (user_id, hash)
);

-- Who a person is at an identity provider; never linked by e-mail alone.
CREATE TABLE identity (
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  user_id TEXT NOT NULL REFERENCES app_user (id),
  created_at BIGINT NOT NULL,
  last_used_at BIGINT NOT NULL,
  PRIMARY KEY (issuer, subject)
);
CREATE INDEX identity_user ON identity (user_id);

-- Who owned an asset when: history stays with the owner of its time. An asset
-- without rows has always been its organization's: the rows come with the first
-- transfer or removal. until_at 0 = still; doc is the asset as it was at until_at
-- (fleet.Thing as JSON), for the names in the earlier owner's history.
CREATE TABLE thing_owner (
  thing_id TEXT NOT NULL REFERENCES thing (id),
  from_at BIGINT NOT NULL,
  organization_id TEXT NOT NULL,
  until_at BIGINT NOT NULL,
  doc TEXT NOT NULL,
  PRIMARY KEY (thing_id, from_at)
);
CREATE INDEX thing_owner_organization ON thing_owner (organization_id);

CREATE TABLE device_config (
  thing_id TEXT PRIMARY KEY REFERENCES thing (id),
  model TEXT NOT NULL,
  platform TEXT NOT NULL,
  file_name TEXT NOT NULL,
  heartbeat_interval_s BIGINT NOT NULL,
  warning_light_pin BIGINT NOT NULL,
  indicator_pin BIGINT NOT NULL,
  location_type TEXT NOT NULL,
  version BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);

-- The hash chain over audit rows, sealed in batches (fleet/seal.go): mac covers a row and its batch,
-- hash covers the previous hash and the macs of the batch.
ALTER TABLE audit ADD COLUMN seal_no BIGINT NOT NULL DEFAULT 0;
ALTER TABLE audit ADD COLUMN mac TEXT NOT NULL DEFAULT '';
CREATE INDEX audit_seal_no ON audit (seal_no);
CREATE TABLE audit_seal (
  no BIGINT PRIMARY KEY,
  at BIGINT NOT NULL,
  row_count BIGINT NOT NULL,
  previous_hash TEXT NOT NULL,
  hash TEXT NOT NULL
);

-- +goose Down
DROP TABLE audit_seal;
