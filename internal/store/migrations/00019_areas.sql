-- +goose Up
-- What people say of an area beside its place, and what lists of changes ask for.
ALTER TABLE area ADD COLUMN thing_id TEXT NOT NULL DEFAULT '';
ALTER TABLE area ADD COLUMN description TEXT NOT NULL DEFAULT '';
ALTER TABLE area ADD COLUMN is_active BOOLEAN NOT NULL DEFAULT TRUE;
ALTER TABLE area ADD COLUMN address1 TEXT NOT NULL DEFAULT '';
ALTER TABLE area ADD COLUMN address2 TEXT NOT NULL DEFAULT '';
ALTER TABLE area ADD COLUMN city TEXT NOT NULL DEFAULT '';
ALTER TABLE area ADD COLUMN state TEXT NOT NULL DEFAULT '';
ALTER TABLE area ADD COLUMN postal_code TEXT NOT NULL DEFAULT '';
ALTER TABLE area ADD COLUMN country_code TEXT NOT NULL DEFAULT '';
CREATE INDEX area_of_organization ON area (organization_id, id);
CREATE INDEX area_changed ON area (organization_id, updated_at);

-- +goose Down
DROP INDEX area_changed;
DROP INDEX area_of_organization;
ALTER TABLE area DROP COLUMN country_code;
ALTER TABLE area DROP COLUMN postal_code;
ALTER TABLE area DROP COLUMN state;
ALTER TABLE area DROP COLUMN city;
ALTER TABLE area DROP COLUMN address2;
ALTER TABLE area DROP COLUMN address1;
ALTER TABLE area DROP COLUMN is_active;
ALTER TABLE area DROP COLUMN description;
ALTER TABLE area DROP COLUMN thing_id;
