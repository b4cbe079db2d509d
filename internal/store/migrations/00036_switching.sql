-- +goose Up
-- Whoever was let into another organization may look at it: without the switch, accepted sharing showed nothing.
UPDATE organization SET acs = TRUE, version = version + 1
WHERE NOT acs AND id IN (SELECT other_id FROM organization_relation);

-- +goose Down
SELECT 1;
