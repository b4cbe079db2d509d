-- +goose Up
-- When people were last told by mail that an API key ends; 0 = never.
ALTER TABLE api_key ADD COLUMN notice_at BIGINT NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE api_key DROP COLUMN notice_at;
