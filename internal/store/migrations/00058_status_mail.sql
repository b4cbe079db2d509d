-- +goose Up
-- Which of what needs an administrator a user was mailed, and when last: nothing is told twice after a restart. told is JSON.
CREATE TABLE status_mail (
  user_id TEXT PRIMARY KEY REFERENCES app_user (id),
  mailed_at BIGINT NOT NULL,
  told TEXT NOT NULL
);
-- Whether a user is mailed so: administrators are, until they say otherwise.
ALTER TABLE mail_choice ADD COLUMN concerns BOOLEAN NOT NULL DEFAULT TRUE;

-- +goose Down
ALTER TABLE mail_choice DROP COLUMN concerns;
DROP TABLE status_mail;
