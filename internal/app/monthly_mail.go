package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/audit"
	"lightbar/internal/file"
	"lightbar/internal/fleet"
	"lightbar/internal/people"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

const (
	// monthlyLetters is how many mails are queued in one transaction.
	monthlyLetters = 50
	// monthlyMailLife is how long sending a mail is tried: each time its recipient must still be allowed to read it.
	monthlyMailLife = 7 * 24 * time.Hour
)

// readsMonthly reports whether an actor may read the monthly reports of an organization.
func readsMonthly(actor *access.Actor, organizationID string) bool {
	return actor.Meets("VIEW_REPORTS") && actor.Reach(organizationID) == access.Full
}

// MonthlyMailEdit sets whether the caller gets the monthly reports of an organization by mail.
type MonthlyMailEdit struct {
	OrganizationID string
	wire.MonthlyMailChoice
}

// ChooseMonthlyMail sets whether the caller gets the monthly reports of an organization by mail that they may read. Requires
// VIEW_REPORTS and full reach, of a user. It leaves no row in the audit: the choice is the user's own. Refusals: not_found.
func (a *App) ChooseMonthlyMail(ctx context.Context, actor *access.Actor, in MonthlyMailEdit) (out wire.MonthlyMail, err error) {
	if err := actor.Must("VIEW_REPORTS"); err != nil {
		return out, err
	}
	if actor.UserID == "" {
		return out, fleet.Refuse("forbidden", "", "An API key gets no mail.")
	}
	of, known := a.Live.Organization(in.OrganizationID)
	if !known || !readsMonthly(actor, in.OrganizationID) {
		return out, fleet.Refuse("not_found", "orgId", "Organization not found")
	}
	err = a.Store.Write(ctx, func(tx *store.Tx) error {
		m, err := store.MonthlyMailOf(ctx, tx, actor.UserID, in.OrganizationID)
		if err != nil {
			return err
		}
		m.Wanted = in.Mail
		return tx.PutMonthlyMail(ctx, m)
	})
	return wire.MonthlyMail{OrganizationID: in.OrganizationID, OrganizationName: of.Name, Mail: in.Mail}, err
}

// monthlyMailOf returns for organizations whether an actor gets their reports by mail.
func (a *App) monthlyMailOf(ctx context.Context, r store.Reader, actor *access.Actor, organizations []string) ([]wire.MonthlyMail, error) {
	wanted := map[string]bool{}
	if actor.UserID != "" {
		var err error
		if wanted, err = store.MonthlyMailsWanted(ctx, r, actor.UserID); err != nil {
			return nil, err
		}
	}
	var out []wire.MonthlyMail
	for _, id := range organizations {
		of, _ := a.Live.Organization(id)
		out = append(out, wire.MonthlyMail{OrganizationID: id, OrganizationName: of.Name, Mail: wanted[id]})
	}
	return out, nil
}

// mailMonthlyReports mails an organization's reports for the month that had just ended to the people who requested them.
func (a *App) mailMonthlyReports(ctx context.Context, of *fleet.Organization) error {
	due, err := store.MonthlyReportsToMail(ctx, a.Store.Reader(), of.ID)
	if err != nil {
		return err
	}
	for _, id := range due {
		letter, err := a.monthlyLetter(ctx, of, id)
		if err != nil {
			return err
		}
		for isMore := true; isMore; {
			if isMore, err = a.mailSome(ctx, letter); err != nil {
				return err
			}
		}
	}
	return nil
}

// monthlyLetter is the content of a report's mail: the same for everybody.
type monthlyLetter struct {
	*fleet.MonthlyReport
	data map[string]string
	link string
}

func (a *App) monthlyLetter(ctx context.Context, of *fleet.Organization, id string) (*monthlyLetter, error) {
	r := a.Store.Reader()
	m, err := store.MonthlyReportByID(ctx, r, id)
	if err != nil {
		return nil, err
	}
	figures, err := store.MonthlyFigures(ctx, r, id)
	if err != nil {
		return nil, err
	}
	zone := zoneOf(m.TimeZone)
	final := fleet.MonthIn(m.Year, m.Month, zone).FinalAt()
	data := map[string]string{"organization": of.Name, "month": fmt.Sprintf("%s %d", time.Month(m.Month), m.Year),
		"days": fmt.Sprint(catalog.LimitInt("monthly", "remadeDays")), "final": people.MailTime(final, zone)}
	for i, line := range file.WriteMonthlyInShort(&figures, inMiles(of)) {
		no := fmt.Sprintf("%02d", i)
		data["figure_"+no], data["value_"+no] = line.Name, line.Value
	}
	link := fmt.Sprintf("%s/dashboard/data/reports/%s/%d/%d", a.PublicURL, of.ID, m.Year, m.Month)
	return &monthlyLetter{&m.MonthlyReport, data, link}, nil
}

// mailSome queues the mails to some of the people who wait for one, and notes in the same transaction who was mailed what. false:
// nobody waits anymore.
func (a *App) mailSome(ctx context.Context, letter *monthlyLetter) (isMore bool, err error) {
	err = a.Store.Write(ctx, func(tx *store.Tx) error {
		asked, err := store.MonthlyMailsDue(ctx, tx, letter.OrganizationID, letter.ID, monthlyLetters)
		if err != nil {
			return err
		}
		if isMore = len(asked) > 0; !isMore {
			return tx.MonthlyReportMailed(ctx, letter.ID)
		}
		for _, m := range asked {
			if err := a.mailMonthlyReport(ctx, tx, letter, m); err != nil {
				return err
			}
		}
		return nil
	})
	return isMore, err
}

// mailMonthlyReport queues the mail to one person who requested it, or ends the request if they may not read the report now.
func (a *App) mailMonthlyReport(ctx context.Context, tx *store.Tx, letter *monthlyLetter, m fleet.MonthlyMail) error {
	u, actor, err := a.monthlyReader(ctx, tx, m)
	if err != nil {
		return err
	}
	if actor == nil {
		m.Wanted = false
		return tx.PutMonthlyMail(ctx, m)
	}
	m.ReportID, m.MailedAt = letter.ID, a.now()
	m.MailID, err = a.QueueMailID(ctx, tx, people.Mail{Kind: people.MonthlyKind, UserID: u.ID, To: u.Email, Data: letter.data,
		Link: letter.link, Until: m.MailedAt.Add(monthlyMailLife)})
	if err != nil {
		return err
	}
	if err := a.Audit.Write(ctx, tx, actor, audit.Row{Verb: "mail", Noun: "monthly_report", NounID: letter.ID,
		OrganizationID: letter.OrganizationID,
		After:          map[string]any{"year": letter.Year, "month": letter.Month, "version": letter.Version}}); err != nil {
		return err
	}
	return tx.PutMonthlyMail(ctx, m)
}

// monthlyReader returns the current state of a person who requested an organization's reports; no actor: they may not read them.
func (a *App) monthlyReader(ctx context.Context, r store.Reader, m fleet.MonthlyMail) (fleet.User, *access.Actor, error) {
	u, actor, err := a.ActorOfMail(ctx, r, m.UserID)
	if refusal := (*fleet.Refusal)(nil); errors.As(err, &refusal) {
		return u, nil, nil // suspended, or deleted
	}
	if err != nil || !readsMonthly(actor, m.OrganizationID) {
		return u, nil, err
	}
	return u, actor, nil
}

// stillReads reports whether the recipient of a waiting mail still wants it, and may read its content.
func (a *App) stillReads(ctx context.Context, mailID string) (bool, error) {
	r := a.Store.Reader()
	m, err := store.MonthlyMailOfLetter(ctx, r, mailID)
	if errors.Is(err, store.ErrNotFound) || err == nil && !m.Wanted {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	_, actor, err := a.monthlyReader(ctx, r, m)
	return actor != nil, err
}

// inMiles reports whether an organization reads distances in miles.
func inMiles(of *fleet.Organization) bool { return of.CountryCode == "US" }
