-- +goose Up
-- Ids of closures in feeds are compared without letter case: a reader that folds it would see one work zone twice. The
-- unique index stays as it was, so that a database that holds such a pair already still opens.
CREATE INDEX closure_id_folded ON closure (lower(external_id)) WHERE external_id <> '' AND deleted_at = 0;

-- +goose Down
DROP INDEX closure_id_folded;
