package people_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit"
	"lightbar/internal/wire"
)

// Who may make another key hears of an end 30 and 7 days before, once each; of a key that was made for less time than
// that, of one without an end, and of one that was revoked, nobody does.
func TestEndingKeysAreTold(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		p := newPosted(t, testkit.WithStore(s))
		ctx, began, day := t.Context(), fleet.InstantOf(p.Clock.Now()), 24*time.Hour
		create := func(actor *access.Actor, description string, ends fleet.Instant) wire.Key {
			text := ends.String()
			if ends == 0 {
				text = ""
			}
			k, _, err := p.App.CreateKey(ctx, actor, wire.KeyCreate{OrganizationID: wire.ID(p.Own.ID), Description: description, ExpiresAt: &text})
			must(t, err)
			return k
		}
		administrator := p.Users["administrator"].Email
		create(p.Actor("administrator"), "Gateway of Station 7", began.Add(40*day))
		create(access.System(), "Feed reader", began.Add(41*day))
		create(access.System(), "For ever", 0)
		create(access.System(), "A week", began.Add(6*day))
		revoked := create(p.Actor("administrator"), "Revoked", began.Add(40*day))
		must(t, p.App.RevokeKey(ctx, p.Actor("administrator"), revoked.ID))
		p.letters(t)
		tell := func() (to []string, text string) {
			must(t, p.App.NoticeKeys(ctx))
			must(t, p.App.NoticeKeys(ctx))
			for _, l := range p.letters(t) {
				if !strings.Contains(l.Text, "Accounts, API keys") {
					t.Errorf("%+v", l)
				}
				to = append(to, l.To)
				text += l.Subject + l.Text
			}
			slices.Sort(to)
			return to, text
		}
		if to, text := tell(); len(to) != 0 {
			t.Fatalf("of a key for a week: %v %s", to, text)
		}
		p.Clock.Advance(10*day - time.Millisecond)
		if to, text := tell(); len(to) != 0 {
			t.Fatalf("too early: %v %s", to, text)
		}
		p.Clock.Advance(time.Millisecond)
		to, text := tell()
		if len(to) == 0 || !slices.Contains(to, administrator) || !strings.Contains(text, "Gateway of Station 7") || strings.Contains(text, "Feed reader") ||
			!strings.Contains(text, "never been used") || strings.Contains(text, "Revoked") || strings.Contains(text, "A week") {
			t.Errorf("30 days before: %v\n%s", to, text)
		}
		told := to
		p.Clock.Advance(day)
		if to, text := tell(); !slices.Equal(to, told) || strings.Contains(text, "Station 7") {
			t.Errorf("of the second key: %v\n%s", to, text)
		}
		p.Clock.Advance(20 * day)
		if to, _ := tell(); len(to) != 0 {
			t.Errorf("told twice: %v", to)
		}
		p.Clock.Advance(3 * day)
		if to, text := tell(); !slices.Equal(to, told) || !strings.Contains(text, "2 API keys of Safety Cloud end soon") {
			t.Errorf("7 days before: %v\n%s", to, text)
		}
		if n, err := p.App.EndingKeys(ctx); n != 2 || err != nil {
			t.Errorf("%d keys end, %v", n, err)
		}
		p.Clock.Advance(3 * day)
		if to, _ := tell(); len(to) != 0 {
			t.Errorf("told again: %v", to)
		}
	})
}
