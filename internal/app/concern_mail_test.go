package app_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/mail"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
	"lightbar/internal/wire"
)

// mailServer is a box that answers, as a mail server does and a folder doesn't.
type mailServer struct{ box }

func (b *mailServer) Ask(ctx context.Context, m mail.Message) (string, error) {
	return "250", b.Send(ctx, m)
}

// Administrators hear of what needs them, those who run the server of the server's; each once a day, and a restart changes
// nothing. Who wants none, who is suspended, who never signed in, and everybody else get none.
func TestConcernsAreMailed(t *testing.T) {
	s := storetest.SQLite(t)
	k, server := apptest.New(t, s), &mailServer{}
	k.Post, k.PublicURL = server, "https://fleet.example"
	o := k.Organization("Harbor County")
	ctx := t.Context()
	_, err := k.UpdateOrganization(ctx, access.System(), o.ID, wire.OrganizationWrite{Timezone: ref("America/New_York")})
	must(t, err)
	ann, super := k.User(o.ID, "administrator"), k.User(o.ID, "super")
	quiet, away := k.User(o.ID, "administrator"), k.User(o.ID, "administrator")
	k.User(o.ID, "manager")
	tamper(t, s, `UPDATE app_user SET password_hash = 'x' WHERE id <> $1`, away.UserID)
	gone := k.User(o.ID, "administrator")
	tamper(t, s, `UPDATE app_user SET password_hash = 'x', suspended = TRUE WHERE id = $1`, gone.UserID)
	must(t, second(k.ChooseStatusMail(ctx, quiet, wire.StatusMail{Mail: false})))
	k.Things(o.ID, "U", 1)
	k.Around.Certificate = func() fleet.Certificate { return fleet.Certificate{EndsAt: k.At().Add(5 * 24 * time.Hour)} }
	day := func(day, hour int) []mail.Message {
		t.Helper()
		zone, err := time.LoadLocation("America/New_York")
		must(t, err)
		moveTo(k, fleet.InstantOf(time.Date(2026, 12, day, hour, 0, 0, 0, zone)))
		server.letters = nil
		for range 2 {
			must(t, k.MailConcerns(ctx))
			must(t, k.RunMail(ctx))
		}
		return server.letters
	}
	to := func(letters []mail.Message) (out string) {
		for _, l := range letters {
			switch l.To {
			case ann.UserID + "@kit.example":
				out += "ann "
			case super.UserID + "@kit.example":
				out += "super "
			default:
				out += l.To
			}
		}
		return out
	}
	if got := to(day(1, 6)); got != "" {
		t.Errorf("at night: %s", got)
	}
	got := day(1, 7)
	if to(got) != "ann super " || got[0].Subject != "Something needs you · Harbor County · Safety Cloud" ||
		!strings.Contains(got[0].Text, "- 1 asset never reported.") || strings.Contains(got[0].Text, "certificate") ||
		!strings.Contains(got[0].Text, "https://fleet.example/dashboard/accounts/status") {
		t.Fatalf("in the morning: %s\n%+v", to(got), got)
	}
	if text := got[1].Text; !strings.Contains(text, "- The server's certificate ends on December 6, 2026") || strings.Contains(text, "never reported") {
		t.Errorf("of the server: %s", text)
	}
	if got := to(day(2, 7)); got != "" {
		t.Errorf("of the same: %s", got)
	}
	k.Things(o.ID, "V", 1)
	if got := day(2, 9); to(got) != "ann " || !strings.Contains(got[0].Text, "- New: 2 assets never reported.") {
		t.Errorf("of one more: %+v", got)
	}
	if got := to(day(8, 9)); got != "super " {
		t.Errorf("a week after: %s", got)
	}
	must(t, second(k.ChooseStatusMail(ctx, super, wire.StatusMail{Mail: false})))
	found, err := k.Concerns(ctx, ann, o.ID)
	if err != nil || !found.Mail {
		t.Errorf("%+v %v", found, err)
	}
	if got := to(day(20, 9)); got != "ann " {
		t.Errorf("another week: %s", got)
	}
	if _, err := k.ChooseStatusMail(ctx, k.User(o.ID, "manager"), wire.StatusMail{}); refusalOf(t, err).Code != "forbidden" {
		t.Errorf("a manager: %v", err)
	}
	k.Post = &server.box // a folder: nobody reads it each day
	k.Things(o.ID, "W", 1)
	if got := day(28, 9); len(got) != 0 {
		t.Errorf("without a mail server: %+v", got)
	}
}

// What needs somebody is looked for only when somebody could be told: not at night, nor a second time on a day. Looking fails
// here, so it shows.
func TestConcernsAreSoughtForThoseWhoAreDue(t *testing.T) {
	k, server := apptest.New(t, storetest.SQLite(t)), &mailServer{}
	k.Post, k.PublicURL = server, "https://fleet.example"
	o, looks := k.Organization("Harbor County"), 0
	k.User(o.ID, "administrator")
	k.User(o.ID, "super")
	k.Things(o.ID, "U", 1)
	tamper(t, k.Store, `UPDATE app_user SET password_hash = 'x' WHERE deleted_at = $1`, 0)
	k.Around.Certificate = func() fleet.Certificate {
		looks++
		return fleet.Certificate{EndsAt: k.At().Add(5 * 24 * time.Hour)}
	}
	at := func(day, hour int) error {
		moveTo(k, fleet.InstantOf(time.Date(2026, 12, day, hour, 0, 0, 0, time.UTC)))
		return k.MailConcerns(t.Context())
	}
	breaks := func(broken bool) {
		from, to := "feed_subscription", "kept_elsewhere"
		if !broken {
			from, to = to, from
		}
		tamper(t, k.Store, "ALTER TABLE "+from+" RENAME TO "+to)
	}
	breaks(true)
	if err := at(1, 6); err != nil || looks != 0 {
		t.Errorf("at night: %v, %d looks at the server", err, looks)
	}
	if err := at(1, 7); err == nil {
		t.Error("in the morning nothing was looked for")
	}
	breaks(false)
	must(t, at(1, 8))
	breaks(true)
	if err := at(1, 9); err != nil || looks != 1 {
		t.Errorf("told already: %v, %d looks at the server", err, looks)
	}
}

// What an organization publishes needs somebody when readers miss a closure.
func TestConcernsOfOwnPublishing(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	o, row := publishing(t, k)
	admin := k.User(o.ID, "administrator")
	kinds := func() (out string) {
		t.Helper()
		got, err := k.Concerns(t.Context(), admin, o.ID)
		must(t, err)
		for _, c := range got.Concerns {
			out += c.Kind + " " + c.Reason + " "
			for _, x := range c.Closures {
				out += x.Name + " "
			}
		}
		return out
	}
	k.Pass(time.Hour)
	if got := kinds(); got != "" {
		t.Errorf("published: %s", got)
	}
	edit := func(in wire.ClosureWrite) {
		t.Helper()
		must(t, second(k.Closures.Edit(t.Context(), admin, row.ID, 0, in)))
		k.Pass(time.Hour)
	}
	edit(wire.ClosureWrite{RoadName: ref("")})
	if got := kinds(); got != "held_back  Paving " {
		t.Errorf("without a road's name: %s", got)
	}
	edit(wire.ClosureWrite{IsWZDxCompliant: ref(false)})
	if got := kinds(); got != "unpublished empty Paving " {
		t.Errorf("not published: %s", got)
	}
	must(t, second(k.UpdateOrganization(t.Context(), access.System(), o.ID, wire.OrganizationWrite{IsWZDxOrg: ref(false)})))
	if got := kinds(); got != "" {
		t.Errorf("an organization without feeds: %s", got)
	}
}
