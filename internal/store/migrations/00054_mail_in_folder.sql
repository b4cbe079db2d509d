-- +goose Up
-- Whether a message was only written into the outbox folder, as there was no mail server: nobody has it yet.
ALTER TABLE mail ADD COLUMN in_folder BOOLEAN NOT NULL DEFAULT FALSE;
CREATE INDEX mail_of_invitation ON mail (user_id, created_at) WHERE kind = 'invitation';

-- +goose Down
DROP INDEX mail_of_invitation;
ALTER TABLE mail DROP COLUMN in_folder;
