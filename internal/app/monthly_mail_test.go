package app_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/mail"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
	"lightbar/internal/wire"
)

// monthPost is an organization of New York in November, with an asset, and whom it mails.
type monthPost struct {
	*apptest.Kit
	t    *testing.T
	s    *store.Store
	post *box
	org  string
}

func newMonthPost(t *testing.T, s *store.Store) *monthPost {
	t.Helper()
	k, o := monthlyKit(t, s, inNewYork(11, 20, 12))
	p := &monthPost{Kit: k, t: t, s: s, post: &box{}, org: o.ID}
	k.Post = p.post
	k.Things(o.ID, "U", 1)
	return p
}

// wants asks for the reports of an organization.
func (p *monthPost) wants(actor *access.Actor, organizationID string, on bool) {
	p.t.Helper()
	out, err := p.ChooseMonthlyMail(p.t.Context(), actor, app.MonthlyMailEdit{OrganizationID: organizationID, MonthlyMailChoice: wire.MonthlyMailChoice{Mail: on}})
	must(p.t, err)
	if out.Mail != on || out.OrganizationID != organizationID || out.OrganizationName == "" {
		p.t.Fatalf("%+v", out)
	}
}

// reader is someone who reads reports and asked for them.
func (p *monthPost) reader() *access.Actor {
	p.t.Helper()
	actor := p.User(p.org, "manager")
	p.wants(actor, p.org, true)
	return actor
}

// at lets the clock come to an instant, and whatever is due happen; it answers what was mailed.
func (p *monthPost) at(at fleet.Instant) []mail.Message {
	p.t.Helper()
	moveTo(p.Kit, at)
	must(p.t, p.MakeMonthlyReports(p.t.Context()))
	return p.hand()
}

func (p *monthPost) hand() []mail.Message {
	p.t.Helper()
	had := len(p.post.letters)
	for range 3 { // so many are handed on in a pass
		must(p.t, p.RunMail(p.t.Context()))
	}
	return p.post.letters[had:]
}

// sent checks to whom letters went.
func (p *monthPost) sent(letters []mail.Message, to ...*access.Actor) {
	p.t.Helper()
	var is, want []string
	for _, one := range letters {
		if is = append(is, one.To); one.Kind != "monthly_report" {
			p.t.Errorf("a letter %q", one.Kind)
		}
	}
	for _, actor := range to {
		want = append(want, actor.UserID+"@kit.example")
	}
	slices.Sort(is)
	slices.Sort(want)
	if !slices.Equal(is, want) {
		p.t.Fatalf("letters to %q, want %q", is, want)
	}
}

// mailed tells of each organization that an actor lists whether they are mailed its reports.
func (p *monthPost) mailed(actor *access.Actor) string {
	p.t.Helper()
	list, err := p.ListMonthlyReports(p.t.Context(), actor, app.MonthlyQuery{OrganizationID: actor.OrganizationID})
	must(p.t, err)
	var out []string
	for _, row := range list.Mail {
		out = append(out, fmt.Sprint(row.OrganizationName, " ", row.Mail))
	}
	return strings.Join(out, ", ")
}

func (p *monthPost) write(change func(context.Context, *store.Tx) error) {
	p.t.Helper()
	must(p.t, p.Store.Write(p.t.Context(), func(tx *store.Tx) error { return change(p.t.Context(), tx) }))
}

func (p *monthPost) restart() {
	p.t.Helper()
	must(p.t, p.StopIngest(p.t.Context()))
	p.Open(p.s, live.Options{})
	p.Post = p.post
}

func eachMonthPost(t *testing.T, run func(*testing.T, *monthPost)) {
	storetest.Each(t, func(t *testing.T, s *store.Store) { run(t, newMonthPost(t, s)) })
}

// A report is mailed at its hour to who asked, once: no later version of it, not after a restart, and not to who asks afterwards.
func TestAReportIsMailedOnce(t *testing.T) {
	eachMonthPost(t, func(t *testing.T, p *monthPost) {
		asked, other := p.reader(), p.User(p.org, "manager")
		report(t, p.Kit, p.org, drove("U-0", p.At().Add(-time.Hour), 61, true)...)
		if got := p.mailed(asked) + "; " + p.mailed(other); got != "Wilmington true; Wilmington false" {
			t.Errorf("before any report: %s", got)
		}
		p.sent(p.at(inNewYork(12, 1, 3) - 1))
		letters := p.at(inNewYork(12, 1, 3))
		p.sent(letters, asked)
		link := "http://localhost:8080/dashboard/data/reports/" + p.org + "/2026/11"
		for _, says := range []string{"Hello Kit,", "The monthly report of Wilmington for November 2026 is ready.", "- Incidents: 0\n", "- Time on scene, median: not known\n",
			"- Distance driven: 5.2 mi\n", "- Closures: 0\n", "- Station cover: no stations\n", "- Data complete: 0%\n", "- Drivers alerted: not measured\n",
			"for 30 days after the month: until December 31, 2026, 3:00 AM EST", "\n" + link + "\n"} {
			if !strings.Contains(letters[0].Text, says) {
				t.Errorf("the letter does not say %q:\n%s", says, letters[0].Text)
			}
		}
		if !strings.Contains(letters[0].HTML, link) || !strings.Contains(letters[0].HTML, "Drivers alerted: not measured") ||
			!strings.HasPrefix(letters[0].Subject, "Monthly report of November 2026: Wilmington · ") {
			t.Errorf("%s\n%s", letters[0].Subject, letters[0].HTML)
		}
		p.wants(other, p.org, true)
		p.wants(asked, p.org, false)
		p.wants(asked, p.org, true)
		report(t, p.Kit, p.org, drove("U-0", inNewYork(11, 30, 15), 31, false)...)
		p.sent(p.at(inNewYork(12, 2, 3)))
		if of := november(t, p.Kit, p.org); of.Version != 2 {
			t.Errorf("version %d", of.Version)
		}
		p.restart()
		p.sent(p.at(inNewYork(12, 2, 4)))
		p.wants(asked, p.org, false)
		letters = p.at(inNewYork(13, 1, 3))
		p.sent(letters, other)
		if !strings.Contains(letters[0].Text, "for December 2026 is ready") {
			t.Error(letters[0].Text)
		}
		if whole, err := p.ReadMonthlyReport(t.Context(), other, app.MonthlyMonth{OrganizationID: p.org, Year: 2026, Month: 12}); err != nil || !whole.Mail {
			t.Errorf("%v %v", whole.Mail, err)
		}
		rows, err := store.ListAudit(t.Context(), p.Store.Reader(), p.org, 0, 1000)
		must(t, err)
		var told []string
		for _, row := range rows {
			if row.Verb == "mail" && row.Noun == "monthly_report" {
				told = append(told, row.ActorUserID+string(row.After))
			}
		}
		if slices.Sort(told); !slices.Equal(told, []string{asked.UserID + `{"month":11,"version":1,"year":2026}`, other.UserID + `{"month":12,"version":1,"year":2026}`}) {
			t.Errorf("the audit tells %q", told)
		}
	})
}

// Only who may read an organization's reports asks for them, and only a person.
func TestWhoMayAskForReports(t *testing.T) {
	p := newMonthPost(t, storetest.SQLite(t))
	foreign := p.Organization("Foreign")
	key := p.User(p.org, "manager")
	key.UserID, key.KeyID = "", "k"
	seen := p.User(p.org, "manager")
	seen.Organizations[foreign.ID] = access.Read
	for _, x := range []struct {
		actor *access.Actor
		of    string
		want  string
	}{
		{p.User(p.org, "operator"), p.org, "forbidden"}, {key, p.org, "forbidden"}, {seen, foreign.ID, "not_found"},
		{p.User(foreign.ID, "administrator"), p.org, "not_found"}, {access.System(), p.org, "forbidden"}, {p.User(p.org, "administrator"), p.NewID(), "not_found"},
	} {
		_, err := p.ChooseMonthlyMail(t.Context(), x.actor, app.MonthlyMailEdit{OrganizationID: x.of, MonthlyMailChoice: wire.MonthlyMailChoice{Mail: true}})
		if !strings.HasPrefix(refusal(err), x.want) {
			t.Errorf("%v instead of %s", err, x.want)
		}
	}
	p.sent(p.at(inNewYork(12, 1, 3)))
}

// Who may not read the reports anymore gets none, and is not mailed again when they may.
func TestAReportIsMailedOnlyToWhoMayReadItNow(t *testing.T) {
	eachMonthPost(t, func(t *testing.T, p *monthPost) {
		stays, suspended, deleted, demoted, moved := p.reader(), p.reader(), p.reader(), p.reader(), p.reader()
		partner := p.Organization("Partner")
		relation := fleet.OrganizationRelation{OrganizationID: p.org, OtherID: partner.ID, Kind: fleet.RelationManager}
		p.write(func(ctx context.Context, tx *store.Tx) error { return tx.PutOrganizationRelation(ctx, relation) })
		manages := p.User(partner.ID, "manager")
		manages.Organizations[p.org] = access.Full
		p.wants(manages, p.org, true)
		edit := func(actor *access.Actor, in wire.UserWrite) {
			t.Helper()
			_, err := p.UpdateUser(t.Context(), access.System(), actor.UserID, in)
			must(t, err)
		}
		edit(suspended, wire.UserWrite{Suspended: ref(true)})
		must(t, p.DeleteUser(t.Context(), access.System(), deleted.UserID))
		edit(demoted, wire.UserWrite{RoleID: ref(wire.ID(access.RoleID("operator")))})
		edit(moved, wire.UserWrite{OrganizationID: ref(wire.ID(partner.ID))}) // it manages still: they may read
		p.sent(p.at(inNewYork(12, 1, 3)), stays, moved, manages)

		edit(suspended, wire.UserWrite{Suspended: ref(false)})
		p.write(func(ctx context.Context, tx *store.Tx) error {
			return tx.DeleteOrganizationRelation(ctx, relation.OrganizationID, relation.OtherID)
		})
		if got := p.mailed(suspended); got != "Wilmington false" {
			t.Errorf("ended is %s", got)
		}
		p.sent(p.at(inNewYork(13, 1, 3)), stays)

		// A letter that waits is not sent to who lost access meanwhile, nor to who turned it off.
		late := p.reader()
		off := p.reader()
		p.post.down = true
		p.sent(p.at(inNewYork(14, 1, 3)))
		edit(late, wire.UserWrite{Suspended: ref(true)})
		p.wants(off, p.org, false)
		p.post.down = false
		p.Pass(2 * 24 * time.Hour)
		p.sent(p.hand(), stays)
	})
}

// One person asks for the reports of two organizations, each on its own. A partner who only sees assets asks for none. With an
// organization its readers' choice ends.
func TestReportsOfTwoOrganizationsAreMailed(t *testing.T) {
	p := newMonthPost(t, storetest.SQLite(t))
	managed := p.Organization("Dover")
	p.write(func(ctx context.Context, tx *store.Tx) error {
		return tx.PutOrganizationRelation(ctx, fleet.OrganizationRelation{OrganizationID: managed.ID, OtherID: p.org, Kind: fleet.RelationManager})
	})
	p.tamper("UPDATE organization SET country_code = 'DE' WHERE name = 'Dover'")
	things := p.Things(managed.ID, "D", 1)
	both, own := p.reader(), p.reader()
	both.Organizations[managed.ID], own.Organizations[managed.ID] = access.Full, access.Full
	p.wants(both, managed.ID, true)
	if got := p.mailed(both) + "; " + p.mailed(own); got != "Dover true, Wilmington true; Dover false, Wilmington true" {
		t.Error(got)
	}
	dover := p.at(inNewYork(12, 1, 0)) // 5 o'clock in Greenwich
	p.sent(dover, both)
	if !strings.Contains(dover[0].Text, "of Dover for November 2026") || !strings.Contains(dover[0].Text, "Distance driven: 0 km") ||
		!strings.Contains(dover[0].Text, "December 31, 2026, 3:00 AM UTC") {
		t.Error(dover[0].Text)
	}
	p.sent(p.at(inNewYork(12, 1, 3)), both, own)
	must(t, p.DeleteThing(t.Context(), access.System(), things[0].ID))
	must(t, p.DeleteOrganization(t.Context(), access.System(), managed.ID))
	must(t, p.Store.Read(t.Context(), func(r store.Reader) error {
		wanted, err := store.MonthlyMailsWanted(t.Context(), r, both.UserID)
		if len(wanted) != 1 || !wanted[p.org] {
			t.Errorf("%v", wanted)
		}
		return err
	}))
}

// What fails is made up for: a report that could not be made is mailed when it is, and letters that could not be queued are
// queued later, each once.
func TestAMailThatFailedIsMadeUpFor(t *testing.T) {
	eachMonthPost(t, func(t *testing.T, p *monthPost) {
		var readers []*access.Actor
		for range 51 { // one more than are queued at once
			readers = append(readers, p.reader())
		}
		moveTo(p.Kit, inNewYork(12, 1, 3))
		fails := func(table string) {
			t.Helper()
			p.tamper("ALTER TABLE " + table + " RENAME TO away")
			if err := p.MakeMonthlyReports(t.Context()); err == nil {
				t.Errorf("without %s nothing fails", table)
			}
			p.tamper("ALTER TABLE away RENAME TO " + table)
			p.sent(p.hand())
		}
		fails("monthly_report_body") // it is not made
		if rows, err := store.MonthlyReportsOf(t.Context(), p.Store.Reader(), p.org, 0); err != nil || len(rows) != 0 {
			t.Fatalf("%+v %v", rows, err)
		}
		fails("mail") // it is made and not mailed
		p.restart()
		p.sent(p.at(inNewYork(12, 1, 4)), readers...)
		p.sent(p.at(inNewYork(12, 2, 4)))
		if due, err := store.MonthlyReportsToMail(t.Context(), p.Store.Reader(), p.org); err != nil || len(due) != 0 {
			t.Errorf("%v %v", due, err)
		}
	})
}

func (p *monthPost) tamper(text string) {
	p.t.Helper()
	p.write(func(ctx context.Context, tx *store.Tx) error {
		_, err := tx.ExecContext(ctx, text)
		return err
	})
}

// Each organization's month ends by its own clock.
func TestReportsAreMailedByTheClockOfTheirZone(t *testing.T) {
	for _, x := range []struct {
		zone, until string
		at          time.Time
	}{
		{"Pacific/Auckland", "December 31, 2026, 3:00 AM NZDT", time.Date(2026, 11, 30, 14, 0, 0, 0, time.UTC)},
		{"Pacific/Honolulu", "December 31, 2026, 3:00 AM HST", time.Date(2026, 12, 1, 13, 0, 0, 0, time.UTC)},
	} {
		p := newMonthPost(t, storetest.SQLite(t))
		must(t, second(p.UpdateOrganization(t.Context(), access.System(), p.org, wire.OrganizationWrite{Timezone: &x.zone})))
		asked := p.reader()
		p.sent(p.at(fleet.InstantOf(x.at) - 1))
		letters := p.at(fleet.InstantOf(x.at))
		p.sent(letters, asked)
		if !strings.Contains(letters[0].Text, "for November 2026 is ready") || !strings.Contains(letters[0].Text, x.until) {
			t.Errorf("%s: %s", x.zone, letters[0].Text)
		}
	}
}

// Of months that ended long before their first report is made, none is mailed: not where a server starts with a history, and
// not where it was down for longer than a month.
func TestReportsOfOldMonthsAreNotMailed(t *testing.T) {
	p := newMonthPost(t, storetest.SQLite(t))
	asked := p.reader()
	day := app.PastDay{EndAt: p.At(), Setting: "history", Value: "1"}
	thing, _, _, _ := p.Live.Thing(p.thing())
	for _, month := range []time.Month{8, 9, 10} {
		for i := range 60 {
			at := inNewYork(month, 10, 12).Add(time.Duration(i) * time.Second)
			day.Points = append(day.Points, fleet.Point{ThingNo: thing.No, At: at, ReceivedAt: at.Add(time.Second), Lat: 39.5 + float64(i)*1e-4, Lng: -75.5})
		}
	}
	must(t, p.StorePastDay(t.Context(), access.System(), &day))
	letters := p.at(p.At())
	p.sent(letters, asked)
	if rows := monthlies(t, p.Kit, p.org); len(rows) != 3 || !strings.Contains(letters[0].Text, "for October 2026") {
		t.Errorf("%+v\n%s", rows, letters[0].Text)
	}
	report(t, p.Kit, p.org, drove("U-0", p.At().Add(-time.Hour), 31, true)...)
	letters = p.at(inNewYork(13, 5, 12)) // nobody saw the hour of November, and December has ended
	p.sent(letters, asked)
	if rows := monthlies(t, p.Kit, p.org); len(rows) != 5 || !strings.Contains(letters[0].Text, "for December 2026") {
		t.Errorf("%+v\n%s", rows, letters[0].Text)
	}
}

// thing is the id of the one asset.
func (p *monthPost) thing() (id string) {
	p.t.Helper()
	must(p.t, p.Store.Reader().QueryRowContext(p.t.Context(), "SELECT id FROM thing WHERE organization_id = $1", p.org).Scan(&id))
	return id
}
