-- +goose Up
-- Who was asked by mail whether a closure still stands. hash is of the link's token; mail_id is the letter.
CREATE TABLE closure_question (
  hash TEXT PRIMARY KEY,
  closure_id TEXT NOT NULL REFERENCES closure (id),
  asked_at BIGINT NOT NULL,
  user_id TEXT NOT NULL REFERENCES app_user (id),
  mail_id TEXT NOT NULL,
  expires_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX closure_question_once ON closure_question (closure_id, asked_at, user_id);
CREATE INDEX closure_question_mail ON closure_question (mail_id);
CREATE INDEX closure_question_expired ON closure_question (expires_at);

-- The question that others were asked too, because nobody had answered it.
ALTER TABLE closure ADD COLUMN others_asked_at BIGINT NOT NULL DEFAULT 0;

-- Which mails about closures a user wants; no row: what fleet.DefaultMails says.
CREATE TABLE mail_choice (
  user_id TEXT PRIMARY KEY REFERENCES app_user (id),
  own_closures BOOLEAN NOT NULL,
  other_closures BOOLEAN NOT NULL
);

-- +goose Down
DROP TABLE mail_choice;
ALTER TABLE closure DROP COLUMN others_asked_at;
DROP TABLE closure_question;
