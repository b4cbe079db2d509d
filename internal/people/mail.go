package people

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/audit"
	"lightbar/internal/fleet"
	"lightbar/internal/mail"
	"lightbar/internal/secret"
	"lightbar/internal/store"
)

// Mail is a mail to a person, stored in the transaction of the change that it
// reports and sent after the commit.
type Mail struct {
	// Kind is one of mail.Kinds: reset, unlock, invitation, password_changed, …
	Kind string
	// UserID is the recipient; the first name and the time zone come from there.
	UserID string
	To     string // the address
	// Data fills the mail's text: "what" (part of a sentence) for second_factor_changed and new_key, "organization" for an
	// invitation. "at" and "until" are filled in here.
	Data map[string]string

	Link  string        // where the button leads
	Until fleet.Instant // when sending it no longer makes sense; 0 = mailLife from now
}

var (
	resetLife      = catalog.LimitMs("session", "resetLinkMs")
	unlockLife     = catalog.LimitMs("session", "unlockLinkMs")
	invitationLife = catalog.LimitMs("session", "invitationMs")
)

// MonthlyKind is the mail about a monthly report.
const MonthlyKind = "monthly_report"

const (
	mailLife  = 24 * time.Hour      // mails without a link are tried this long
	mailKept  = 30 * 24 * time.Hour // the links of mails are stored this long after they ended
	mailBatch = 50                  // mails in one pass
)

// mailWaits is how long the next attempt waits after the first, second, …; the last one repeats.
var mailWaits = []time.Duration{time.Minute, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour}

// queueMail writes a letter into the outbox. RunMail hands it on after the commit.
func (a *Accounts) QueueMail(ctx context.Context, tx *store.Tx, m Mail) error {
	_, err := a.QueueMailID(ctx, tx, m)
	return err
}

// QueueMailID is QueueMail, and returns the id of the mail.
func (a *Accounts) QueueMailID(ctx context.Context, tx *store.Tx, m Mail) (string, error) {
	name, zone, err := a.greeting(ctx, tx, m.UserID)
	if err != nil {
		return "", err
	}
	brand, err := a.Brand(ctx)
	if err != nil {
		return "", err
	}
	now := a.now()
	if m.Until == 0 {
		m.Until = now.Add(mailLife)
	}
	data := map[string]string{"at": mailTime(now, zone), "until": mailTime(m.Until, zone)}
	for k, v := range m.Data {
		data[k] = v
	}
	letter, err := mail.Render(m.Kind, mail.Words{Brand: brand.Name, Support: helper(brand.SupportEmail), Home: a.PublicURL, Name: name,
		Link: m.Link, Data: data})
	if err != nil {
		return "", err
	}
	row := store.Mail{ID: a.NewID(), UserID: m.UserID, Kind: m.Kind, To: strings.TrimSpace(m.To), Subject: letter.Subject, CreatedAt: now,
		NextAt: now, UntilAt: m.Until}
	if row.Body, err = a.sealMail(row.ID, mailBody{Name: name, Text: letter.Text, HTML: letter.HTML}); err != nil {
		return "", err
	}
	return row.ID, tx.InsertMail(ctx, row)
}

// mailFault queues a mail about a fault of the audit for each super user.
func (a *Accounts) mailFault(ctx context.Context, tx *store.Tx, found *audit.Fault) error {
	supers, err := store.MembersOfRole(ctx, tx, access.SuperRole, a.now())
	if err != nil {
		return err
	}
	for _, m := range supers {
		if m.Suspended {
			continue
		}
		if err := a.QueueMail(ctx, tx, Mail{Kind: "audit_broken", UserID: m.ID, To: m.Email,
			Data: map[string]string{"what": found.Kind}}); err != nil {
			return err
		}
	}
	return nil
}

// greeting is the first name and the time zone of a user; UTC for nobody.
func (a *Accounts) greeting(ctx context.Context, r store.Reader, userID string) (string, *time.Location, error) {
	u, err := store.UserByID(ctx, r, userID)
	if errors.Is(err, store.ErrNotFound) {
		return "", time.UTC, nil
	}
	if err != nil {
		return "", nil, err
	}
	o, err := store.OrganizationByID(ctx, r, u.OrganizationID)
	if errors.Is(err, store.ErrNotFound) {
		return u.FirstName, time.UTC, nil
	}
	if err != nil {
		return "", nil, err
	}
	zone, err := time.LoadLocation(o.Timezone)
	if err != nil {
		zone = time.UTC
	}
	return u.FirstName, zone, nil
}

// mailTime is an instant in a mail, with its time zone.
func mailTime(at fleet.Instant, zone *time.Location) string {
	return at.Time().In(zone).Format("January 2, 2006, 3:04 PM MST")
}

// mailLink is the address of a public screen, built only from the public address. The token is a fragment: it stays in the browser
// and appears in no proxy's log.
func (a *Accounts) mailLink(screen, email, token string) string {
	return fmt.Sprintf("%s/welcome/%s/%s#%s", a.PublicURL, screen, url.PathEscape(email), token)
}

// oneTimeLink makes a user's token for a purpose, which invalidates the older ones, and queues the mail with its link.
func (a *Accounts) oneTimeLink(ctx context.Context, tx *store.Tx, l linkLetter, u fleet.User, data map[string]string) error {
	_, _, err := a.oneTimeLinkIDs(ctx, tx, l, u, data)
	return err
}

// linkLetter has what a mail with a link needs.
type linkLetter struct {
	purpose, prefix, screen, kind string
	life                          time.Duration
}

var (
	letterReset      = linkLetter{"reset", prefixReset, "reset", "reset", resetLife}
	letterUnlock     = linkLetter{"unlock", prefixUnlock, "unlock", "unlock", unlockLife}
	letterInvitation = linkLetter{"invite", prefixInvitation, "invite", "invitation", invitationLife}
)

func (a *Accounts) oneTimeLinkIDs(ctx context.Context, tx *store.Tx, l linkLetter, u fleet.User,
	data map[string]string) (hash, mailID string, err error) {
	link, err := a.newLink(ctx, tx, l, u)
	if err != nil {
		return "", "", err
	}
	mailID, err = a.mailNewLink(ctx, tx, l, u, link, data)
	return link.hash, mailID, err
}

// newLink is a link that works once.
type newLink struct {
	hash, address string
	until         fleet.Instant
}

// newLink makes a user's link for a purpose: older ones become invalid, and so do waiting mails with them.
func (a *Accounts) newLink(ctx context.Context, tx *store.Tx, l linkLetter, u fleet.User) (newLink, error) {
	now := a.now()
	token := secret.RandomToken(l.prefix, secretBytes)
	out := newLink{hash: secret.Hash(token), address: a.mailLink(l.screen, u.Email, token), until: now.Add(l.life)}
	if err := tx.DropOneTimes(ctx, l.purpose, u.ID, now); err != nil {
		return out, err
	}
	if err := tx.SupersedeMail(ctx, u.ID, l.kind, now); err != nil {
		return out, err
	}
	return out, tx.InsertOneTime(ctx, store.OneTime{Hash: out.hash, Purpose: l.purpose, UserID: u.ID, CreatedAt: now, ExpiresAt: out.until})
}

func (a *Accounts) mailNewLink(ctx context.Context, tx *store.Tx, l linkLetter, u fleet.User, link newLink,
	data map[string]string) (string, error) {
	return a.QueueMailID(ctx, tx, Mail{Kind: l.kind, UserID: u.ID, To: u.Email, Data: data, Link: link.address, Until: link.until})
}

// mailBody is the sealed part of a mail in the outbox.
type mailBody struct {
	Name string `json:"name"`
	Text string `json:"text"`
	HTML string `json:"html"`
}

// mailPurpose is the purpose for which the key that seals mails is derived.
const mailPurpose = "lightbar mail 1"

// sealMail encrypts a mail, because it may contain a working link and the
// database alone must not reveal it. id ties the text to its row.
func (a *Accounts) sealMail(id string, b mailBody) (string, error) {
	text, err := json.Marshal(b)
	if err != nil {
		return "", err
	}
	return a.ServerKey.Seal(mailPurpose, id, text)
}

func (a *Accounts) openMail(id, sealed string) (b mailBody, err error) {
	text, err := a.ServerKey.Open(mailPurpose, id, sealed)
	if err != nil {
		return b, err
	}
	return b, json.Unmarshal(text, &b)
}
