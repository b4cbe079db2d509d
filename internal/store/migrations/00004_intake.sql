-- +goose Up
-- Points as they came, many to a row (intake_code.go), until they are merged into their table in its order:
-- a point of its own page each would make every commit rewrite as many pages as there are assets.

CREATE TABLE point_intake (
  no BIGINT PRIMARY KEY,
  body BYTEA NOT NULL
);

-- What waits for its seal is read in the order of ids.
DROP INDEX audit_seal_no;
CREATE INDEX audit_seal_no ON audit (seal_no, id);

-- +goose Down
DROP INDEX audit_seal_no;
CREATE INDEX audit_seal_no ON audit (seal_no);
DROP TABLE point_intake;
