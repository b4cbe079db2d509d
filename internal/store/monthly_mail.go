package store

import (
	"context"

	"lightbar/internal/fleet"
	"lightbar/internal/store/engine"
)

var monthlyMails = table[fleet.MonthlyMail]{name: "monthly_mail", columns: func(m *fleet.MonthlyMail) []column {
	return []column{
		{"user_id", &m.UserID, keyed}, {"organization_id", &m.OrganizationID, keyed}, {"wanted", &m.Wanted, edit},
		{"report_id", &m.ReportID, edit}, {"mail_id", &m.MailID, edit}, {"mailed_at", &m.MailedAt, edit},
	}
}}

var (
	putMonthlyMail      = monthlyMails.upserts("")
	monthlyMailOf       = monthlyMails.selects("WHERE user_id = $1 AND organization_id = $2")
	monthlyMailOfLetter = monthlyMails.selects("WHERE mail_id = $1")
	monthlyMailsDue     = monthlyMails.selects("WHERE organization_id = $1 AND wanted AND report_id <> $2 ORDER BY user_id LIMIT $3")
)

// PutMonthlyMail writes a user's choice, and what they were mailed.
func (tx *Tx) PutMonthlyMail(ctx context.Context, m fleet.MonthlyMail) error {
	_, err := putMonthlyMail.run(ctx, tx, &m)
	return err
}

// MonthlyMailOf reads a user's choice for an organization: empty when they have never chosen.
func MonthlyMailOf(ctx context.Context, r Reader, userID, organizationID string) (fleet.MonthlyMail, error) {
	return monthlyMailOf.oneOr(ctx, r, fleet.MonthlyMail{UserID: userID, OrganizationID: organizationID}, userID, organizationID)
}

// MonthlyMailOfLetter reads the recipient of a mail about a report. ErrNotFound when they were mailed another one since.
func MonthlyMailOfLetter(ctx context.Context, r Reader, mailID string) (fleet.MonthlyMail, error) {
	return monthlyMailOfLetter.one(ctx, r, mailID)
}

// MonthlyMailsDue reads the people who requested an organization's reports and were not mailed this one, at most so many.
func MonthlyMailsDue(ctx context.Context, r Reader, organizationID, reportID string, most int) ([]fleet.MonthlyMail, error) {
	return monthlyMailsDue.all(ctx, r, organizationID, reportID, most)
}

const monthlyMailsWanted = `SELECT organization_id FROM monthly_mail WHERE user_id = $1 AND wanted`

// MonthlyMailsWanted lists the organizations whose reports a user requested.
func MonthlyMailsWanted(ctx context.Context, r Reader, userID string) (map[string]bool, error) {
	ids, err := engine.List(ctx, r, engine.Text, monthlyMailsWanted, userID)
	out := map[string]bool{}
	for _, id := range ids {
		out[id] = true
	}
	return out, err
}

const endMonthlyMailOf = `DELETE FROM monthly_mail WHERE organization_id = $1`

// EndMonthlyMailOf ends everybody's mail of an organization's reports.
func (tx *Tx) EndMonthlyMailOf(ctx context.Context, organizationID string) error {
	_, err := tx.ExecContext(ctx, endMonthlyMailOf, organizationID)
	return err
}

const monthlyReportsToMail = `SELECT id FROM monthly_report WHERE organization_id = $1 AND to_mail ORDER BY id`

// MonthlyReportsToMail lists the reports of an organization that have yet to be mailed.
func MonthlyReportsToMail(ctx context.Context, r Reader, organizationID string) ([]string, error) {
	return engine.List(ctx, r, engine.Text, monthlyReportsToMail, organizationID)
}

const monthlyReportMailed = `UPDATE monthly_report SET to_mail = FALSE WHERE id = $1`

// MonthlyReportMailed records that everybody was mailed a report. Nothing changes in the report that anyone reads.
func (tx *Tx) MonthlyReportMailed(ctx context.Context, id string) error {
	_, err := tx.ExecContext(ctx, monthlyReportMailed, id)
	return err
}
