-- +goose Up
-- Suspended because the provider has the person in no mapped group any more: a visit with a group lifts it again.
ALTER TABLE app_user ADD COLUMN shut_out BOOLEAN NOT NULL DEFAULT FALSE;

-- Who came by a provider and chose a password by mail would keep a way in when the provider closes its own: such passwords go,
-- those that were given to them (or to break-glass users) stay.
UPDATE app_user SET password_hash = '', password_changed_at = 0
WHERE password_hash <> '' AND NOT break_glass AND id IN (SELECT user_id FROM identity)
AND id NOT IN (SELECT noun_id FROM audit WHERE noun = 'user' AND verb IN ('set_password', 'accept_invitation'));

-- +goose Down
ALTER TABLE app_user DROP COLUMN shut_out;
