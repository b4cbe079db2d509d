-- +goose Up
-- Points that rest: one asset's of an hour, packed (store/points/block_code.go), a tenth of their size in their table.
-- slot = hours since 1970 (UTC); an asset with very many points has several blocks of a slot.
-- said: whether a point of it said if the asset alerts, so that the last word is found without reading all blocks.

CREATE TABLE point_block (
  thing_no BIGINT NOT NULL,
  slot BIGINT NOT NULL,
  first_at BIGINT NOT NULL,
  last_at BIGINT NOT NULL,
  n BIGINT NOT NULL,
  said BOOLEAN NOT NULL,
  body BYTEA NOT NULL,
  PRIMARY KEY (thing_no, slot, first_at)
);
CREATE INDEX point_block_slot ON point_block (slot);

-- +goose Down
DROP TABLE point_block;
