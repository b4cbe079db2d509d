-- +goose Up
-- Who asked to be mailed the monthly reports of an organization, and which one they were mailed last. wanted ends when they
-- ask no longer or may not read them anymore; the row stays, so that no report is mailed to anybody twice.
CREATE TABLE monthly_mail (
  user_id TEXT NOT NULL REFERENCES app_user (id),
  organization_id TEXT NOT NULL REFERENCES organization (id),
  wanted BOOLEAN NOT NULL,
  report_id TEXT NOT NULL,
  mail_id TEXT NOT NULL,
  mailed_at BIGINT NOT NULL,
  PRIMARY KEY (user_id, organization_id)
);
CREATE INDEX monthly_mail_of_organization ON monthly_mail (organization_id, user_id);
CREATE INDEX monthly_mail_of_letter ON monthly_mail (mail_id);

-- Whether a report has yet to be mailed. Those that were made before are not.
ALTER TABLE monthly_report ADD COLUMN to_mail BOOLEAN NOT NULL DEFAULT FALSE;
CREATE INDEX monthly_report_to_mail ON monthly_report (organization_id) WHERE to_mail;

-- +goose Down
DROP INDEX monthly_report_to_mail;
ALTER TABLE monthly_report DROP COLUMN to_mail;
DROP TABLE monthly_mail;
