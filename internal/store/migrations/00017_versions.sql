-- +goose Up
-- Rows of the audit that say how a record stood from then on: whole, or removed. What it was at an instant is read from them.
ALTER TABLE audit ADD COLUMN whole BOOLEAN NOT NULL DEFAULT FALSE;
UPDATE audit SET whole = TRUE WHERE verb = 'delete' OR (verb <> 'configure' AND after_doc LIKE '%"version":%');
CREATE INDEX audit_version ON audit (noun, noun_id, at) WHERE whole;

-- +goose Down
DROP INDEX audit_version;
ALTER TABLE audit DROP COLUMN whole;
