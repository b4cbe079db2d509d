-- +goose Up
-- What follows from an asset's type was set when it was registered and stayed so when the type changed.
UPDATE thing SET
  responder = (type_id IN ('01900000-0000-7000-8000-100000000001', '01900000-0000-7000-8000-100000000002',
    '01900000-0000-7000-8000-100000000003', '01900000-0000-7000-8000-100000000004')),
  allowed_for_closures = (type_id = '01900000-0000-7000-8000-100000000005');

-- The glyphs of an organization's assets of the general type, by name; '' = the one of the type.
ALTER TABLE organization ADD COLUMN vehicle_icon_active TEXT NOT NULL DEFAULT '';
ALTER TABLE organization ADD COLUMN vehicle_icon_default TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE organization DROP COLUMN vehicle_icon_default;
ALTER TABLE organization DROP COLUMN vehicle_icon_active;
