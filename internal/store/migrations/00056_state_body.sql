-- +goose Up
-- Live states as compact bytes (store/statedoc.go); doc is read where body is empty: an earlier version wrote it.
-- late: up to which row of state_late the state has the reports.
ALTER TABLE thing_state ADD COLUMN body BYTEA NOT NULL DEFAULT '';
ALTER TABLE thing_state ADD COLUMN late BIGINT NOT NULL DEFAULT 0;

-- Reports that a start would not find, or not in their order, until the states of their assets are written: of each commit a row.
CREATE TABLE state_late (
  no BIGINT PRIMARY KEY,
  body BYTEA NOT NULL
);

-- +goose Down
DROP TABLE state_late;
ALTER TABLE thing_state DROP COLUMN late;
ALTER TABLE thing_state DROP COLUMN body;
