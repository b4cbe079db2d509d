-- +goose Up
-- One text for SQLite and PostgreSQL: ids are UUID v7 text, instants BIGINT
-- milliseconds UTC (0 = none), geometry JSON in TEXT, no serials, no arrays.

CREATE TABLE setting (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
);

CREATE TABLE organization (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  email TEXT NOT NULL,
  address1 TEXT NOT NULL,
  address2 TEXT NOT NULL,
  city TEXT NOT NULL,
  state TEXT NOT NULL,
  postal_code TEXT NOT NULL,
  country_code TEXT NOT NULL,
  lat DOUBLE PRECISION,
  lng DOUBLE PRECISION,
  timezone TEXT NOT NULL,
  type_name TEXT NOT NULL,
  acs BOOLEAN NOT NULL,
  infinite_timeout BOOLEAN NOT NULL,
  wzdx BOOLEAN NOT NULL,
  large BOOLEAN,
  contact_name TEXT NOT NULL,
  phone TEXT NOT NULL,
  cell_phone TEXT NOT NULL,
  responders_type TEXT NOT NULL,
  event_wording TEXT NOT NULL,
  billing_id TEXT NOT NULL,
  version BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  deleted_at BIGINT NOT NULL
);

-- organization_id's assets may be managed or read by other_id.
CREATE TABLE organization_relation (
  organization_id TEXT NOT NULL REFERENCES organization (id),
  other_id TEXT NOT NULL REFERENCES organization (id),
  kind TEXT NOT NULL,
  PRIMARY KEY (organization_id, other_id)
);
CREATE INDEX organization_relation_other ON organization_relation (other_id);

CREATE TABLE app_user (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organization (id),
  email TEXT NOT NULL,
  email_key TEXT NOT NULL,
  first_name TEXT NOT NULL,
  last_name TEXT NOT NULL,
  phone TEXT NOT NULL,
  address1 TEXT NOT NULL,
  address2 TEXT NOT NULL,
  city TEXT NOT NULL,
  state TEXT NOT NULL,
  postal_code TEXT NOT NULL,
  country_code TEXT NOT NULL,
  role_id TEXT NOT NULL,
  password_hash TEXT NOT NULL,
  password_changed_at BIGINT NOT NULL,
  suspended BOOLEAN NOT NULL,
  awareness BOOLEAN NOT NULL,
  sign_in_count BIGINT NOT NULL,
  last_sign_in_at BIGINT NOT NULL,
  version BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  deleted_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX app_user_email ON app_user (email_key) WHERE deleted_at = 0;
CREATE INDEX app_user_organization ON app_user (organization_id);

-- A session is a family of token pairs that began with one sign-in.
CREATE TABLE session (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES app_user (id),
  organization_id TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  last_used_at BIGINT NOT NULL,
  absolute_at BIGINT NOT NULL,
  generation BIGINT NOT NULL,
  rotated_at BIGINT NOT NULL,
  successor_on BOOLEAN NOT NULL,
  revoked_at BIGINT NOT NULL,
  reason TEXT NOT NULL,
  awareness BOOLEAN NOT NULL,
  network TEXT NOT NULL,
  user_agent TEXT NOT NULL
);
CREATE INDEX session_by_user ON session (user_id);

CREATE TABLE session_token (
  hash TEXT PRIMARY KEY,
  session_id TEXT NOT NULL REFERENCES session (id),
  kind TEXT NOT NULL,
  generation BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
);
CREATE INDEX session_token_session ON session_token (session_id);
CREATE INDEX session_token_expires ON session_token (expires_at);

-- One-use secrets: first administrator's link, later reset, unlock, invitation.
CREATE TABLE one_time (
  hash TEXT PRIMARY KEY,
  purpose TEXT NOT NULL,
  user_id TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  used_at BIGINT NOT NULL
);

CREATE TABLE sign_in_attempt (
  account TEXT NOT NULL,
  network TEXT NOT NULL,
  at BIGINT NOT NULL,
  id TEXT NOT NULL,
  PRIMARY KEY (account, at, id)
);

CREATE TABLE known_device (
  hash TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES app_user (id),
  created_at BIGINT NOT NULL
);

CREATE TABLE api_key (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organization (id),
  user_id TEXT NOT NULL,
  description TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  prefix TEXT NOT NULL,
  scope TEXT NOT NULL,
  thing_id TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  last_used_at BIGINT NOT NULL,
  revoked_at BIGINT NOT NULL
);

CREATE TABLE thing (
  id TEXT PRIMARY KEY,
  thing_no BIGINT NOT NULL UNIQUE,
  organization_id TEXT NOT NULL REFERENCES organization (id),
  external_id TEXT NOT NULL,
  system_name TEXT NOT NULL,
  system_key TEXT NOT NULL,
  nickname TEXT NOT NULL,
  vin TEXT NOT NULL,
  plate TEXT NOT NULL,
  registry TEXT NOT NULL,
  type_id TEXT NOT NULL,
  subtype_id TEXT NOT NULL,
  device_type TEXT NOT NULL,
  in_service BOOLEAN NOT NULL,
  publicly_alerting BOOLEAN NOT NULL,
  alerting_reset_at BIGINT NOT NULL,
  allowed_for_closures BOOLEAN NOT NULL,
  allowed_for_test_mode BOOLEAN NOT NULL,
  test_mode BOOLEAN NOT NULL,
  r2r BOOLEAN NOT NULL,
  responder BOOLEAN NOT NULL,
  version BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  deleted_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX thing_system ON thing (organization_id, system_key) WHERE deleted_at = 0;
CREATE INDEX thing_alerting_reset ON thing (alerting_reset_at) WHERE alerting_reset_at > 0;

CREATE TABLE thing_relation (
  thing_id TEXT NOT NULL REFERENCES thing (id),
  organization_id TEXT NOT NULL REFERENCES organization (id),
  kind TEXT NOT NULL,
  PRIMARY KEY (thing_id, organization_id)
);
CREATE INDEX thing_relation_organization ON thing_relation (organization_id);

-- An organization that lost sight of an asset learns it from here (is_deleted).
CREATE TABLE thing_gone (
  organization_id TEXT NOT NULL,
  thing_id TEXT NOT NULL,
  at BIGINT NOT NULL,
  PRIMARY KEY (organization_id, thing_id)
);

CREATE TABLE thing_integration (
  thing_id TEXT NOT NULL REFERENCES thing (id),
  provider TEXT NOT NULL,
  identifier TEXT NOT NULL,
  PRIMARY KEY (thing_id, provider)
);

-- Live states are held in memory and written lazily; doc is fleet.State as JSON.
CREATE TABLE thing_state (
  thing_no BIGINT PRIMARY KEY,
  at BIGINT NOT NULL,
  doc TEXT NOT NULL
);

-- The largest table: no id, integer coordinates (1e-7 degrees), cm/s, 0.1 degrees,
-- 0.1 m; -1 = not said. flags: 1 alerting said, 2 alerting on, 4 clock skew.
-- minute = at / 60000 keeps one minute of all things together on disk.
-- Once their hour is long over, points move to point_block (step 37).
CREATE TABLE point (
  minute BIGINT NOT NULL,
  thing_no BIGINT NOT NULL,
  at BIGINT NOT NULL,
  received_at BIGINT NOT NULL,
  lat BIGINT NOT NULL,
  lng BIGINT NOT NULL,
  course BIGINT NOT NULL,
  speed BIGINT NOT NULL,
  accuracy BIGINT NOT NULL,
  flags BIGINT NOT NULL,
  PRIMARY KEY (minute, thing_no, at)
);

CREATE TABLE signal (
  minute BIGINT NOT NULL,
  thing_no BIGINT NOT NULL,
  kind BIGINT NOT NULL,
  at BIGINT NOT NULL,
  received_at BIGINT NOT NULL,
  is_on BOOLEAN NOT NULL,
  pattern TEXT NOT NULL,
  PRIMARY KEY (minute, thing_no, kind, at)
);

CREATE TABLE run (
  id TEXT PRIMARY KEY,
  thing_no BIGINT NOT NULL,
  organization_id TEXT NOT NULL,
  start_at BIGINT NOT NULL,
  end_at BIGINT NOT NULL,
  points_count BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);
CREATE INDEX run_thing ON run (thing_no, start_at);

CREATE TABLE location (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organization (id),
  external_id TEXT NOT NULL,
  is_active BOOLEAN NOT NULL,
  lat DOUBLE PRECISION NOT NULL,
  lng DOUBLE PRECISION NOT NULL,
  street TEXT NOT NULL,
  roadway_heading DOUBLE PRECISION,
  start_at BIGINT NOT NULL,
  end_at BIGINT NOT NULL,
  alert_message TEXT NOT NULL,
  wzdx_id TEXT NOT NULL,
  version BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);
CREATE INDEX location_active ON location (is_active, organization_id);
CREATE INDEX location_updated ON location (organization_id, updated_at);

CREATE TABLE location_thing (
  location_id TEXT NOT NULL REFERENCES location (id),
  thing_id TEXT NOT NULL,
  organization_id TEXT NOT NULL,
  start_at BIGINT NOT NULL,
  end_at BIGINT NOT NULL,
  PRIMARY KEY (location_id, thing_id, start_at)
);
CREATE INDEX location_thing_organization ON location_thing (organization_id, start_at);

-- Stations and exclusion zones; their screens come later, the law reads them now.
CREATE TABLE area (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organization (id),
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  is_station BOOLEAN NOT NULL,
  lat DOUBLE PRECISION,
  lng DOUBLE PRECISION,
  radius_m DOUBLE PRECISION NOT NULL,
  geometry TEXT NOT NULL,
  version BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  deleted_at BIGINT NOT NULL
);

CREATE TABLE audit (
  id TEXT PRIMARY KEY,
  at BIGINT NOT NULL,
  actor_user_id TEXT NOT NULL,
  actor_key_id TEXT NOT NULL,
  organization_id TEXT NOT NULL,
  network TEXT NOT NULL,
  verb TEXT NOT NULL,
  noun TEXT NOT NULL,
  noun_id TEXT NOT NULL,
  before_doc TEXT NOT NULL,
  after_doc TEXT NOT NULL,
  request_id TEXT NOT NULL
);
CREATE INDEX audit_organization ON audit (organization_id, at);

-- Refusals are counted, not listed, so that nobody fills the disk with them.
CREATE TABLE refusal_count (
  minute BIGINT NOT NULL,
  network TEXT NOT NULL,
  code TEXT NOT NULL,
  count BIGINT NOT NULL,
  PRIMARY KEY (minute, network, code)
);

-- An answer given once is given again to the same Idempotency-Key.
CREATE TABLE idempotency (
  key TEXT PRIMARY KEY,
  actor_id TEXT NOT NULL,
  digest TEXT NOT NULL,
  status BIGINT NOT NULL,
  answer TEXT NOT NULL,
  at BIGINT NOT NULL
);

-- One server owns the live picture; fencing grows with each owner.
CREATE TABLE server_lock (
  name TEXT PRIMARY KEY,
  holder TEXT NOT NULL,
  fencing BIGINT NOT NULL,
  until_at BIGINT NOT NULL
);

-- +goose Down
DROP TABLE server_lock;
