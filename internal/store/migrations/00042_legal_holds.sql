-- +goose Up
-- What an organization must keep longer than its time: a hold names a stretch of
-- time (to_at 0 = without end), and one asset, or all of the organization (thing_id '').
-- It counts until it is lifted or ends (ends_at, 0 = when it is lifted).
CREATE TABLE legal_hold (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organization (id),
  thing_id TEXT NOT NULL,
  from_at BIGINT NOT NULL,
  to_at BIGINT NOT NULL,
  reason TEXT NOT NULL,
  ends_at BIGINT NOT NULL,
  placed_at BIGINT NOT NULL,
  placed_by TEXT NOT NULL,
  lifted_at BIGINT NOT NULL,
  lifted_by TEXT NOT NULL
);
CREATE INDEX legal_hold_of_organization ON legal_hold (organization_id, lifted_at);

-- The order in which old rows are looked at.
DROP INDEX point_block_slot;
CREATE INDEX point_block_slot ON point_block (slot, thing_no, first_at);
CREATE INDEX location_ended ON location (end_at, id) WHERE NOT is_active;
CREATE INDEX closure_left ON closure (updated_at, id);
CREATE INDEX area_left ON area (deleted_at, id) WHERE deleted_at > 0;
CREATE INDEX zone_left ON zone (deleted_at, id) WHERE deleted_at > 0;

-- +goose Down
DROP INDEX zone_left;
DROP INDEX area_left;
DROP INDEX closure_left;
DROP INDEX location_ended;
DROP INDEX point_block_slot;
CREATE INDEX point_block_slot ON point_block (slot);
DROP TABLE legal_hold;
