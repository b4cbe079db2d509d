package fleet

import (
	"slices"
	"testing"
	"time"
)

const concernNow = Instant(1_800_000_000_000)

func concernBefore(d time.Duration) Instant { return concernNow.Add(-d) }

func TestWhatOfKeysFeedsAndIntegrationsIsAConcern(t *testing.T) {
	const day = 24 * time.Hour
	for name, row := range map[string]struct {
		key  Key
		want bool
	}{
		"ends in 30 days":  {Key{ExpiresAt: concernBefore(-30 * day)}, true},
		"ends later":       {Key{ExpiresAt: concernBefore(-30*day) + 1}, false},
		"never ends":       {Key{}, false},
		"has ended":        {Key{ExpiresAt: concernNow}, false},
		"ends but revoked": {Key{ExpiresAt: concernBefore(-day), RevokedAt: concernBefore(day)}, false},
	} {
		if _, is := KeyConcern(&row.key, concernNow); is != row.want {
			t.Errorf("a key that %s: %v", name, is)
		}
	}
	feed := func(problem string, good Instant) *FeedSubscription {
		return &FeedSubscription{IsActive: true, State: FeedState{LastFetchedAt: concernNow, LastGoodAt: good, LastChangedAt: good, Problem: problem}}
	}
	for name, row := range map[string]struct {
		feed   *FeedSubscription
		is     bool
		reason string
	}{
		"good":              {feed("", concernNow), false, FeedGood},
		"failing a moment":  {feed("unreachable", concernBefore(time.Minute)), false, "unreachable"},
		"failing for long":  {feed("unreachable", concernBefore(time.Hour)), true, "unreachable"},
		"held":              {feed(FeedShrunk, concernNow), true, FeedHeld},
		"off":               {&FeedSubscription{State: FeedState{LastFetchedAt: 1, Problem: "unreachable"}}, false, FeedOff},
		"not yet fetched":   {&FeedSubscription{IsActive: true}, false, FeedWaiting},
		"silent for months": {feed("", concernBefore(100*day)), true, FeedFrozen},
	} {
		if c, is := FeedConcern(row.feed, concernNow); is != row.is || c.Reason != row.reason {
			t.Errorf("a feed that is %s: %v %+v", name, is, c)
		}
	}
	for name, row := range map[string]struct {
		x    Integration
		want bool
	}{
		"works":            {Integration{IsActive: true}, false},
		"fails a moment":   {Integration{IsActive: true, State: IntegrationState{FailingSince: concernBefore(time.Minute), Problem: "timeout"}}, false},
		"fails for long":   {Integration{IsActive: true, State: IntegrationState{FailingSince: concernBefore(time.Hour), Problem: "timeout"}}, true},
		"is refused":       {Integration{IsActive: true, State: IntegrationState{FailingSince: concernNow, Problem: ProblemUnauthorized}}, true},
		"fails but is off": {Integration{State: IntegrationState{FailingSince: concernBefore(time.Hour)}}, false},
	} {
		if _, is := IntegrationConcern(&row.x, concernNow); is != row.want {
			t.Errorf("an integration that %s: %v", name, is)
		}
	}
}

func TestAssetsThatAreNotHeard(t *testing.T) {
	const day = 24 * time.Hour
	assets := []Heard{{ID: "a", Name: "A", At: concernNow}, {ID: "b", Name: "B", At: concernBefore(14 * day)}, {ID: "c", Name: "C", At: concernBefore(20 * day)},
		{ID: "d", Name: "D"}, {ID: "e", Name: "E", At: concernBefore(14*day) + 1}}
	got, never, silent := SilentConcerns(assets, concernNow, 1)
	want := []Concern{{Kind: ConcernNeverHeard, Count: 1}, {Kind: ConcernSilent, Count: 2, At: concernBefore(20 * day)}}
	if !slices.Equal(got, want) || len(never) != 1 || never[0].ID != "d" || len(silent) != 1 || silent[0].ID != "c" {
		t.Errorf("%+v %+v %+v", got, never, silent)
	}
	if got, _, _ := SilentConcerns(assets[:1], concernNow, 1); len(got) != 0 {
		t.Errorf("%+v", got)
	}
}

func TestWhatOfTheServerIsAConcern(t *testing.T) {
	const day = 24 * time.Hour
	kinds := func(change func(*ServerFacts)) (out []string) {
		f := ServerFacts{MailServer: true, DiskBytes: 1000, DiskFree: 500, BackupAt: concernBefore(day), CertificateEnds: concernBefore(-60 * day)}
		change(&f)
		for _, c := range ServerConcerns(f, concernNow) {
			out = append(out, c.Kind)
		}
		return out
	}
	soon, later := 89, 90
	for name, row := range map[string]struct {
		change func(*ServerFacts)
		want   []string
	}{
		"all is well":         {func(*ServerFacts) {}, nil},
		"nothing is known":    {func(f *ServerFacts) { *f = ServerFacts{MailServer: true} }, nil},
		"certificate":         {func(f *ServerFacts) { f.CertificateEnds = concernBefore(-30 * day) }, []string{ConcernCertificate}},
		"no mail server":      {func(f *ServerFacts) { f.MailServer = false }, []string{ConcernNoMailServer}},
		"mail just queued":    {func(f *ServerFacts) { f.MailWaits, f.MailOldest = 3, concernBefore(time.Minute) }, nil},
		"mail waits":          {func(f *ServerFacts) { f.MailWaits, f.MailOldest = 3, concernBefore(15*time.Minute) }, []string{ConcernMailWaits}},
		"mail given up":       {func(f *ServerFacts) { f.MailEnded = 1 }, []string{ConcernMailGivenUp}},
		"disk full soon":      {func(f *ServerFacts) { f.DaysUntilFull = &soon }, []string{ConcernDisk}},
		"disk full later":     {func(f *ServerFacts) { f.DaysUntilFull = &later }, nil},
		"little of the disk":  {func(f *ServerFacts) { f.DiskFree = 149 }, []string{ConcernDisk}},
		"backup of yesterday": {func(f *ServerFacts) { f.BackupAt = concernBefore(2 * day) }, []string{ConcernBackup}},
	} {
		if got := kinds(row.change); !slices.Equal(got, row.want) {
			t.Errorf("%s: %v, want %v", name, got, row.want)
		}
	}
}
