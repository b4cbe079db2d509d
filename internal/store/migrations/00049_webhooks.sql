-- +goose Up
-- What Samsara signs its webhooks with, sealed with the server key, and what it was before the last edit; empty = no webhook.
-- Both are emptied with the secret.
ALTER TABLE integration ADD COLUMN webhook_secret TEXT NOT NULL DEFAULT '';
ALTER TABLE integration ADD COLUMN webhook_before TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE integration DROP COLUMN webhook_before;
ALTER TABLE integration DROP COLUMN webhook_secret;
