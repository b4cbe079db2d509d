package check_test

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"lightbar/internal/feed/check"
	"lightbar/internal/feed/read"
	"lightbar/internal/fleet"
	"lightbar/internal/testkit/worst"
)

// worstFeed is a document of 1 MiB, and the rule that it breaks as often as it can.
type worstFeed struct {
	text   string
	rule   string // that must have looked at it; empty = it breaks none, but was read
	unread bool   // parts of it are no features
}

// unread is the rule of what no other rule sees: it is refused before.
const unread = "feature_unreadable"

// full is a list of as many values as one part may have: with one more than that, no rule would look at it.
func full(begin, repeat, end string) string {
	each := strings.Count(repeat, ",") + strings.Count(repeat, "{") + strings.Count(repeat, "[")
	room := read.MostValues - strings.Count(begin, ",") - strings.Count(begin, "{") - strings.Count(begin, "[") - each
	return begin + strings.TrimSuffix(strings.Repeat(repeat, min(room/each, 500_000/len(repeat))), ",") + end
}

const (
	headOfFeed  = `{"type":"FeatureCollection","feed_info":{"version":"4.2"},"features":[`
	headOfEvent = `{"id":"1","type":"Feature","properties":{"core_details":{"event_type":"work-zone","road_names":["I-95"]`
)

// longLists have more places where a rule is broken than anyone wants to read.
func longLists() map[string]worstFeed {
	wzdx := func(rule, begin, repeat, end string) worstFeed {
		return worstFeed{worst.Text(headOfFeed, full(headOfEvent+begin, repeat, end+`}`)+",", "{}]}"), rule, false}
	}
	head := func(rule, begin, repeat, end string) worstFeed {
		return worstFeed{worst.Text(`{"type":"FeatureCollection","features":[]`, ","+full(begin, repeat, end), "}"), rule, false}
	}
	incident := func(rule, begin, repeat, end string) worstFeed {
		return worstFeed{worst.Text("[", full(`{"id":"1",`+begin, repeat, end+"}")+",", "{}]"), rule, false}
	}
	line := func(rule, kind, repeat string) worstFeed {
		return wzdx(rule, `}},"geometry":{"type":"`+kind+`","coordinates":[`, repeat, "]}")
	}
	return map[string]worstFeed{
		"huge numbers":          line("position_out_of_range", "LineString", "[1e308,1e308],"),
		"positions":             line("points_too_few", "LineString", "[1,1],"),
		"positions of words":    line("type_wrong", "LineString", `["",""],`),
		"no positions":          line("type_wrong", "LineString", "1,"),
		"lists of nothing":      line("list_too_short", "MultiPoint", "[],"),
		"one position":          wzdx("type_wrong", `}},"geometry":{"type":"MultiPoint","coordinates":[[`, `"",`, "]]}"),
		"names of roads":        wzdx("road_name_empty", `,"road_names":[`, `"",`, `]}}`),
		"roads without names":   wzdx("type_wrong", `,"road_names":[`, `1,`, `]}}`),
		"unknown members":       wzdx("", "", `,"a":1`, "}}"),
		"other unknown members": wzdx("", "", `,"\u0061b":{}`, "}}"),
		"lanes":                 wzdx("member_missing", `},"lanes":[`, `{},`, `]}`),
		"lanes of no kind":      wzdx("word_unknown", `},"lanes":[`, `{"type":"x"},`, `]}`),
		"lanes of one order":    wzdx("lanes_repeated", `},"lanes":[`, `{"order":1},`, `]}`),
		"old lanes":             wzdx("member_deprecated", `},"lanes":[`, `{"lane_number":0},`, `]}`),
		"restrictions":          wzdx("type_wrong", `},"restrictions":[`, `1,`, `]}`),
		"restricted values":     wzdx("member_missing", `},"restrictions":[`, `{"value":1},`, `]}`),
		"work":                  wzdx("member_missing", `},"types_of_work":[`, `{},`, `]}`),
		"curbs":                 wzdx("format_wrong", `},"impacted_cds_curb_zones":[`, `{"cds_curbs_api_url":""},`, `]}`),
		"workers":               wzdx("word_unknown", `},"worker_presence":{"definition":[`, `"",`, `]}}`),
		"relations":             wzdx("related_missing", `,"related_road_events":[`, `{"id":"x","type":"y"},`, `]}}`),
		"relations to itself":   wzdx("related_self", `,"related_road_events":[`, `{"id":"1"},`, `]}}`),
		"old relations":         wzdx("related_missing", `,"relationship":{"parents":[`, `"x",`, `]}}}`),
		"a list of sources":     head("source_repeated", `"feed_info":{"data_sources":[`, `{"data_source_id":"a"},`, "]}"),
		"tiny sources":          head("member_missing", `"feed_info":{"data_sources":[`, `{},`, "]}"),
		"old sources":           head("update_placeholder", `"feed_info":{"data_sources":[`, `{"update_date":"0001-01-01T00:00:00Z"},`, "]}"),
		"a box":                 head("type_wrong", `"bbox":[`, `"",`, "]"),
		"lanes of incidents":    incident("cifs_lane_unknown", `"lanes":{"lane":[`, `1,`, "]}"),
		"one lane many times":   incident("lanes_repeated", `"lanes":{"lane":[`, `{"order":"1"},`, "]}"),
		"lanes in XML": {worst.Text("<incidents>", `<incident id="1"><lanes>`+strings.Repeat("<lane/>", read.MostValues-100)+"</lanes></incident>",
			"</incidents>"), "cifs_lane_unknown", false},
	}
}

func worstFeeds() map[string]worstFeed {
	wzdx := func(rule, begin, repeat, end string) worstFeed {
		return worstFeed{worst.Text(headOfFeed+begin, repeat, end+`]}`), rule, false}
	}
	event := func(rule, begin, repeat, end string) worstFeed {
		return wzdx(rule, headOfEvent+begin, repeat, end+`}`)
	}
	text := func(rule, begin, repeat, end string) worstFeed {
		return worstFeed{worst.Text(begin, repeat, end), rule, false}
	}
	incident := func(rule, begin, repeat, end string) worstFeed {
		return text(rule, `<incidents><incident id="1">`+begin, repeat, end+`</incident></incidents>`)
	}
	out := map[string]worstFeed{
		"many features":           wzdx(refused, "", "{},", "{}"),
		"many nothings":           wzdx(refused, "", "1,", "1"),
		"features of one id":      {wzdx("", "", `{"id":"1","type":"Feature","properties":{"core_details":{}}},`, "{}").text, "id_repeated", true},
		"too many values":         event(unread, `}},"geometry":{"type":"LineString","coordinates":[`, "[1,1],", "[0,0]]}"),
		"too many members":        event(unread, "", `,"a":1`, "}}"),
		"deep":                    event("document_truncated", `,"a":`, "[", ""),
		"deep and closed":         event(unread, `,"a":`+strings.Repeat("[", 5000)+strings.Repeat("]", 5000), " ", "}}"),
		"a long description":      event("", `,"description":"`, `\u0020x`, `"}}`),
		"many members":            text("", `{"type":"FeatureCollection","features":[]`, `,"a":1`, `}`),
		"incidents":               text(refused, `[`, `{},`, `1]`),
		"elements":                incident(refused, "", "<a/>", ""),
		"elements of other names": incident(refused, "", "<a1/><b2/><c3/><d4/>", ""),
		"attributes":              text(refused, `<incidents><incident `, `a="" `, `/></incidents>`),
		"attributes of the root":  text(refused, `<incidents `, `a="" `, `/>`),
		"deep elements":           incident(refused, "", "<a>", ""),
		"entities":                incident("member_missing", "<description>", "&amp;", "</description>"),
		"positions in XML":        incident("points_too_few", "<location><polyline>", "1 1 ", "</polyline></location>"),
		"huge numbers in XML":     incident("position_out_of_range", "<location><polyline>", "1e308 1e308 ", "</polyline></location>"),
		"many incidents in XML":   text(unread, "<incidents>", "<incident/>", "</incidents>"),
		"other elements":          text("", "<incidents>", "<a/>", "</incidents>"),
		"comments":                text("", "<incidents>", "<!---->", "</incidents>"),
		"an open tag":             text("document_malformed", "<incidents><incident a='", "<", ""),
		"a number without end":    event(unread, `},"x":`, "1", "}"),
	}
	maps.Copy(out, longLists())
	return out
}

// refused stands for a document of which nothing counts.
const refused = "refused"

// Whatever a feed of 1 MiB says, it costs no more than others can spare: when it is checked, and when it is read.
func TestTheWorstFeedsAreCheap(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: the race detector makes other costs")
	}
	limits := read.Limits{Bytes: 64 << 20, Features: 10_000}
	for what, feed := range worstFeeds() {
		t.Run(what+"/checked", func(t *testing.T) {
			var report *check.Report
			var err error
			worst.Check(t, func(ctx context.Context) any {
				report, err = check.Document(ctx, strings.NewReader(feed.text), limits, fleet.Instant(1795257727000))
				return []any{report, err}
			})
			reached(t, feed, report, err)
		})
		t.Run(what+"/read", func(t *testing.T) {
			worst.Check(t, func(ctx context.Context) any {
				result, err := read.Read(ctx, strings.NewReader(feed.text), read.Limits{}, func(*read.WorkZone) {})
				return []any{result, err}
			})
		})
	}
}

// reached tells that the rule has looked at a feed: what is refused before says nothing of what that rule costs.
func reached(t *testing.T, feed worstFeed, report *check.Report, err error) {
	t.Helper()
	if feed.rule == refused || err != nil {
		if _, is := err.(*read.Unreadable); !is || feed.rule != refused {
			t.Errorf("%v", err)
		}
		return
	}
	found := rulesOf(report)
	if feed.rule != "" && !slices.Contains(found, feed.rule) {
		t.Errorf("%s has not looked at it: %v", feed.rule, found)
	}
	if slices.Contains(found, unread) && !feed.unread && feed.rule != unread {
		t.Errorf("a part of it was refused before: %v", found)
	}
}

// Who no longer waits for the answer makes no work, however much is unpacked.
func TestReadingAFeedEndsWithItsCall(t *testing.T) {
	ended, end := context.WithCancel(t.Context())
	text := worstFeeds()["many features"].text
	count := 0
	_, err := read.Walk(ended, strings.NewReader(text), read.Limits{}, func(read.Part) {
		if count++; count == 10 {
			end()
		}
	})
	if err != context.Canceled || count > 100_000 {
		t.Errorf("%d features, %v", count, err)
	}
}

// A document of nothing but features beyond the limit is not counted to its end.
func TestFeaturesWithoutEndAreNotCounted(t *testing.T) {
	_, err := read.Read(t.Context(), strings.NewReader(worstFeeds()["many features"].text), read.Limits{Features: 100}, func(*read.WorkZone) {})
	if u, ok := err.(*read.Unreadable); !ok || u.Reason != read.TooLarge || u.Message != "The document has more than 1000 features." {
		t.Errorf("%v", err)
	}
}
