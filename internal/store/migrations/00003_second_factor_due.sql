-- +goose Up
-- Since when an organization requires a second factor, 0 = it does not: who is signed in without one gets a day from then.
-- What is required already counts from the organization's last change.

ALTER TABLE organization ADD COLUMN mfa_required_at BIGINT NOT NULL DEFAULT 0;
UPDATE organization SET mfa_required_at = updated_at WHERE mfa_required;

-- +goose Down
ALTER TABLE organization DROP COLUMN mfa_required_at;
