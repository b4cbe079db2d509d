-- +goose Up
-- A key says what it may be used for: words with spaces between, none for a key of one asset. What an
-- organization's keys could do until now, they go on doing.
ALTER TABLE api_key RENAME COLUMN scope TO scopes;
UPDATE api_key SET scopes = CASE WHEN thing_id = '' THEN 'ingest register' ELSE '' END;

-- Digests of requests without a key of the server: of one with a password in it, the password could be guessed.
UPDATE idempotency SET digest = '';
CREATE INDEX idempotency_at ON idempotency (at);

-- +goose Down
DROP INDEX idempotency_at;
UPDATE api_key SET scopes = CASE WHEN thing_id = '' THEN 'ingest' ELSE 'thing' END;
ALTER TABLE api_key RENAME COLUMN scopes TO scope;
