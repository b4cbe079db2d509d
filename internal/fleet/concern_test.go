package fleet

import (
	"fmt"
	"reflect"
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
	assets := []ConcernSubject{{ID: "a", Name: "A", At: concernNow}, {ID: "b", Name: "B", At: concernBefore(14 * day)}, {ID: "c", Name: "C", At: concernBefore(20 * day)},
		{ID: "d", Name: "D"}, {ID: "e", Name: "E", At: concernBefore(14*day) + 1}}
	got := SilentConcerns(assets, concernNow, 1)
	want := []Concern{{Kind: ConcernNeverHeard, Count: 1, Named: []ConcernSubject{{ID: "d", Name: "D"}}},
		{Kind: ConcernSilent, Count: 2, At: concernBefore(20 * day), Named: []ConcernSubject{{ID: "c", Name: "C", At: concernBefore(20 * day)}}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	if got := SilentConcerns(assets[:1], concernNow, 1); len(got) != 0 {
		t.Errorf("%+v", got)
	}
}

func TestWhenACertificateIsLate(t *testing.T) {
	const day = 24 * time.Hour
	for name, c := range map[string]struct {
		life, left time.Duration
		renews     bool
		want       bool
	}{
		"of a year, 31 days before":             {365 * day, 31 * day, false, false},
		"of a year, 30 days before":             {365 * day, 30 * day, false, true},
		"of 45 days, 16 days before":            {45 * day, 16 * day, false, false},
		"of 45 days, 15 days before":            {45 * day, 15 * day, false, true},
		"renewed, while it should be renewed":   {90 * day, 30 * day, true, false},
		"renewed, a week later":                 {90 * day, 22 * day, true, true},
		"renewed, of six days, two days left":   {6 * day, 2 * day, true, false},
		"renewed, of six days, a day left":      {6 * day, day, true, true},
		"that has ended, and should be renewed": {90 * day, -day, true, true},
	} {
		got := Certificate{concernNow.Add(c.left - c.life), concernNow.Add(c.left), c.renews}.IsLate(concernNow)
		if got != c.want {
			t.Errorf("one %s: %v", name, got)
		}
	}
	if (Certificate{}).IsLate(concernNow) {
		t.Error("none is late")
	}
}

func TestWhatOfOwnPublishingIsAConcern(t *testing.T) {
	const day = 24 * time.Hour
	row := func(id string, since time.Duration, published, refused bool, confirmed time.Duration) ActiveClosure {
		return ActiveClosure{ConcernSubject: ConcernSubject{ID: id, At: concernBefore(since)}, IsPublished: published, IsRefused: refused, ConfirmedAt: concernBefore(confirmed)}
	}
	for name, c := range map[string]struct {
		active []ActiveClosure
		want   string
	}{
		"nothing is active":       {nil, ""},
		"all is well":             {[]ActiveClosure{row("a", day, true, false, day)}, ""},
		"drawn a minute ago":      {[]ActiveClosure{row("a", time.Minute, false, false, 0), row("b", time.Minute, true, true, 0)}, ""},
		"the feeds are empty":     {[]ActiveClosure{row("a", time.Hour, false, false, 0), row("b", day, false, false, 0)}, "unpublished empty 2 b"},
		"one is not published":    {[]ActiveClosure{row("a", time.Hour, false, false, 0), row("b", day, true, false, 0)}, "unpublished  1 a"},
		"one breaks a rule":       {[]ActiveClosure{row("a", time.Hour, true, true, 0), row("b", day, true, false, 0)}, "held_back  1 a"},
		"nobody confirms one":     {[]ActiveClosure{row("a", 30*day, true, false, 14*day), row("b", 30*day, true, false, 14*day-1)}, "unconfirmed  1 a"},
		"nobody confirms a quiet": {[]ActiveClosure{row("a", 30*day, false, false, 30*day), row("b", day, true, false, 0)}, "unpublished  1 a"},
	} {
		got := ""
		for _, x := range PublishingConcerns(c.active, concernNow, 10) {
			got += fmt.Sprint(x.Kind, " ", x.Reason, " ", x.Count, " ", x.Named[0].ID)
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// One letter a day, in the morning of its reader at the earliest; what was told is told again when it gets worse, or stands
// for a week.
func TestWhenConcernsAreMailed(t *testing.T) {
	zone, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	at := func(day, hour, minute int) Instant {
		return InstantOf(time.Date(2026, 11, day, hour, minute, 0, 0, zone))
	}
	feed, silent := Concern{Kind: ConcernFeed, ID: "f"}, func(n int64) Concern { return Concern{Kind: ConcernSilent, Count: n} }
	certificate := Concern{Kind: ConcernCertificate, At: at(30, 12, 0)}
	told := func(at Instant, what ...Concern) (m StatusMail) {
		m.NoteMailed(what, at)
		return m
	}
	for name, c := range map[string]struct {
		last StatusMail
		now  Instant
		are  []Concern
		want bool
	}{
		"nothing":                  {StatusMail{}, at(21, 9, 0), nil, false},
		"the first":                {StatusMail{}, at(21, 7, 0), []Concern{feed}, true},
		"before the morning":       {StatusMail{}, at(21, 6, 59), []Concern{feed}, false},
		"a key that ends":          {StatusMail{}, at(21, 9, 0), []Concern{{Kind: ConcernKeyEnds, ID: "k"}, {Kind: ConcernNoMailServer}}, false},
		"told today":               {told(at(21, 7, 0), feed), at(21, 23, 59), []Concern{feed, silent(1)}, false},
		"told yesterday, and more": {told(at(20, 23, 59), feed), at(21, 7, 0), []Concern{feed, silent(1)}, true},
		"the same":                 {told(at(20, 7, 0), feed), at(21, 7, 0), []Concern{feed}, false},
		"less":                     {told(at(20, 7, 0), feed, silent(3)), at(21, 7, 0), []Concern{silent(2)}, false},
		"worse":                    {told(at(20, 7, 0), feed, silent(3)), at(21, 7, 0), []Concern{silent(4)}, true},
		"the same for a week":      {told(at(14, 7, 0), feed), at(21, 7, 0), []Concern{feed}, true},
		"nearly a week":            {told(at(14, 7, 1), feed), at(21, 7, 0), []Concern{feed}, false},
		"another of its kind":      {told(at(20, 7, 0), feed), at(21, 7, 0), []Concern{{Kind: ConcernFeed, ID: "g"}}, true},
		"a month before it ends":   {told(at(2, 7, 0), certificate), at(3, 7, 0), []Concern{certificate}, false},
		"two weeks before it ends": {told(at(16, 7, 0), certificate), at(17, 7, 0), []Concern{certificate}, true},
		"the last day":             {told(at(29, 7, 0), certificate), at(30, 7, 0), []Concern{certificate}, true},
	} {
		if got := c.last.IsDue(c.are, c.now, zone); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestWhatOfTheServerIsAConcern(t *testing.T) {
	const day = 24 * time.Hour
	kinds := func(change func(*ServerFacts)) (out []string) {
		f := ServerFacts{MailServer: true, DiskBytes: 1000, DiskFree: 500, BackupAt: concernBefore(day), Certificate: Certificate{BeginsAt: concernBefore(300 * day), EndsAt: concernBefore(-60 * day)}}
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
		"certificate":         {func(f *ServerFacts) { f.Certificate.EndsAt = concernBefore(-30 * day) }, []string{ConcernCertificate}},
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
