package app

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/people"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// concernMailRows is how many concerns a mail lists.
var concernMailRows = int(catalog.LimitInt("concern", "mailRows"))

// concernLetter is the mail to the people who look after one thing: an organization, or the whole installation.
type concernLetter struct {
	organization string                          // its name; empty = it is about the server
	found        func() ([]fleet.Concern, error) // looked for once, when the first reader may be due
	zone         *time.Location
}

// ChooseStatusMail sets whether the caller gets mails about what needs an administrator in their organization, or in the server if
// they run it. Requires EDIT_ORGANIZATION, of a user. It leaves no row in the audit: the choice is the user's own.
func (a *App) ChooseStatusMail(ctx context.Context, actor *access.Actor, in wire.StatusMail) (wire.StatusMail, error) {
	if err := actor.Must("EDIT_ORGANIZATION"); err != nil {
		return in, err
	}
	if actor.UserID == "" {
		return in, fleet.Refuse("forbidden", "", "An API key gets no mail.")
	}
	return in, a.Store.Write(ctx, func(tx *store.Tx) error {
		choice, err := store.MailChoiceOf(ctx, tx, actor.UserID)
		if err != nil {
			return err
		}
		choice.Concerns = in.Mail
		return tx.PutMailChoice(ctx, choice)
	})
}

// MailConcerns mails administrators what needs them in their organization, and those who run the server what needs them there: once
// a day, if something is new or still open (fleet.StatusMail). Without a mail server nothing is sent: a mail that lies in a folder
// for weeks would be outdated when somebody reads it. The server's own clock calls it every few minutes.
func (a *App) MailConcerns(ctx context.Context) error {
	if !a.HasMailServer() {
		return nil
	}
	organizations, err := store.ListOrganizations(ctx, a.Store.Reader())
	if err != nil {
		return err
	}
	failed := store.EachOf(ctx, organizations, func(of fleet.Organization) error { return a.mailConcernsOf(ctx, &of) })
	return cmp.Or(failed, a.mailServerConcerns(ctx))
}

func (a *App) mailConcernsOf(ctx context.Context, of *fleet.Organization) error {
	now := a.now()
	members, err := store.MembersOf(ctx, a.Store.Reader(), of.ID, now)
	if err != nil {
		return err
	}
	letter := &concernLetter{organization: of.Name, zone: zoneOf(of.Timezone),
		found: sync.OnceValues(func() ([]fleet.Concern, error) { return a.concernsOf(ctx, of, now) })}
	return store.EachOf(ctx, members, func(m store.Member) error {
		if !people.Administers(m.RoleID) {
			return nil
		}
		return a.mailConcerns(ctx, &m, letter)
	})
}

// mailServerConcerns mails those who run the server, each by the local time of their organization.
func (a *App) mailServerConcerns(ctx context.Context) error {
	now := a.now()
	supers, err := store.MembersOfRole(ctx, a.Store.Reader(), access.SuperRole, now)
	if err != nil {
		return err
	}
	found := sync.OnceValues(func() ([]fleet.Concern, error) {
		facts, err := a.serverFacts(ctx, now)
		return fleet.ServerConcerns(facts, now), err
	})
	return store.EachOf(ctx, supers, func(m store.Member) error {
		of, err := store.OrganizationByID(ctx, a.Store.Reader(), m.OrganizationID)
		if err != nil {
			return err
		}
		return a.mailConcerns(ctx, &m, &concernLetter{found: found, zone: zoneOf(of.Timezone)})
	})
}

// mailConcerns queues the mail to one person who wants it and uses their account, and notes its content in the same transaction: a
// server that has lost the database to another one sends nothing.
func (a *App) mailConcerns(ctx context.Context, to *store.Member, letter *concernLetter) error {
	if to.Suspended || !to.HasEntered {
		return nil
	}
	now := a.now()
	lastOf := func(r store.Reader) (last fleet.StatusMail, mayBe bool, err error) {
		choice, err := store.MailChoiceOf(ctx, r, to.ID)
		if err != nil || !choice.Concerns {
			return last, false, err
		}
		last, err = store.StatusMailOf(ctx, r, to.ID)
		return last, err == nil && last.MayBeDue(now, letter.zone), err
	}
	last, mayBe, err := lastOf(a.Store.Reader())
	if err != nil || !mayBe {
		return err // at night, or after today's mail was sent: nothing is looked up then
	}
	found, err := letter.found()
	if err != nil || !last.IsDue(found, now, letter.zone) {
		return err // the usual case: nothing is written then
	}
	return a.Store.Write(ctx, func(tx *store.Tx) error {
		last, mayBe, err := lastOf(tx)
		if err != nil || !mayBe || !last.IsDue(found, now, letter.zone) {
			return err
		}
		data := concernData(letter, found, &last, now)
		last.NoteMailed(found, now)
		if err := tx.PutStatusMail(ctx, last); err != nil {
			return err
		}
		return a.QueueMail(ctx, tx, people.Mail{Kind: "concerns", UserID: to.ID, To: to.Email, Data: data,
			Link: a.PublicURL + "/dashboard/accounts/status"})
	})
}

func concernData(letter *concernLetter, found []fleet.Concern, last *fleet.StatusMail, now fleet.Instant) map[string]string {
	data := map[string]string{"count": fmt.Sprint(len(found)), "more": "", "organization": letter.organization}
	if more := len(found) - concernMailRows; more > 0 {
		data["more"] = fmt.Sprint(more)
	}
	for i, c := range found[:min(len(found), concernMailRows)] {
		no := fmt.Sprintf("%02d", i)
		data["kind_"+no], data["name_"+no], data["reason_"+no] = c.Kind, c.Name, c.Reason
		data["count_"+no], data["new_"+no], data["at_"+no] = fmt.Sprint(c.Count), "", ""
		if last.MailedAt != 0 && last.IsNew(&c, now) {
			data["new_"+no] = "yes"
		}
		if c.At != 0 {
			data["at_"+no] = people.MailTime(c.At, letter.zone)
		}
		if c.At <= now {
			data["over_"+no] = "yes"
		}
	}
	return data
}
