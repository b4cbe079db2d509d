package check_test

import (
	"context"
	"strings"
	"testing"

	"lightbar/internal/feed/check"
	"lightbar/internal/feed/read"
	"lightbar/internal/fleet"
	"lightbar/internal/testkit/worst"
)

func worstFeeds() map[string]string {
	wzdx := func(begin, repeat, end string) string {
		return worst.Text(`{"type":"FeatureCollection","feed_info":{"version":"4.2"},"features":[`+begin, repeat, end+`]}`)
	}
	event := func(begin, repeat, end string) string {
		return wzdx(`{"id":"1","type":"Feature","properties":{"core_details":{"event_type":"work-zone","road_names":["I-95"]`+begin, repeat, end+`}`)
	}
	incident := func(begin, repeat, end string) string {
		return worst.Text(`<incidents><incident id="1">`+begin, repeat, end+`</incident></incidents>`)
	}
	return map[string]string{
		"many features":           wzdx("", "{},", "{}"),
		"many nothings":           wzdx("", "1,", "1"),
		"features of one id":      wzdx("", `{"id":"1","type":"Feature","properties":{"core_details":{}}},`, "1"),
		"huge numbers":            event(`}},"geometry":{"type":"LineString","coordinates":[`, "[1e308,1e308],", "[0,0]]}"),
		"positions":               event(`}},"geometry":{"type":"LineString","coordinates":[`, "[1,1],", "[0,0]]}"),
		"one position":            event(`}},"geometry":{"type":"MultiPoint","coordinates":[[1`, ",1", "]]}"),
		"lists of nothing":        event(`}},"geometry":{"type":"MultiPoint","coordinates":[`, "[],", "[]]}"),
		"deep":                    event(`,"a":`, "[", ""),
		"deep and closed":         event(`,"a":`+strings.Repeat("[", 5000)+strings.Repeat("]", 5000), " ", "}}"),
		"names of roads":          event(`,"road_names":[`, `"",`, `""]}}`),
		"unknown members":         event("", `,"a":1`, "}}"),
		"other unknown members":   event("", `,"\u0061b":{}`, "}}"),
		"lanes":                   event(`},"lanes":[`, "{},", "{}]}"),
		"restrictions":            event(`},"restrictions":[`, `1,`, "1]}"),
		"relations":               event(`,"related_road_events":[`, `{"id":"x","type":"y"},`, "1]}}"),
		"a long description":      event(`,"description":"`, `\u0020x`, `"}}`),
		"a list of sources":       worst.Text(`{"type":"FeatureCollection","features":[],"feed_info":{"data_sources":[`, `{"data_source_id":"a"},`, `1]}}`),
		"tiny sources":            worst.Text(`{"type":"FeatureCollection","features":[],"feed_info":{"data_sources":[`, `{},`, `1]}}`),
		"many members":            worst.Text(`{"type":"FeatureCollection","features":[]`, `,"a":1`, `}`),
		"a box":                   worst.Text(`{"type":"FeatureCollection","features":[],"bbox":[`, `1,`, `1]}`),
		"incidents":               worst.Text(`[`, `{},`, `1]`),
		"elements":                incident("", "<a/>", ""),
		"elements of other names": incident("", "<a1/><b2/><c3/><d4/>", ""),
		"attributes":              worst.Text(`<incidents><incident `, `a="" `, `/></incidents>`),
		"attributes of the root":  worst.Text(`<incidents `, `a="" `, `/>`),
		"deep elements":           incident("", "<a>", ""),
		"entities":                incident("<description>", "&amp;", "</description>"),
		"positions in XML":        incident("<location><polyline>", "1 1 ", "</polyline></location>"),
		"huge numbers in XML":     incident("<location><polyline>", "1e308 1e308 ", "</polyline></location>"),
		"many incidents in XML":   worst.Text("<incidents>", "<incident/>", "</incidents>"),
		"other elements":          worst.Text("<incidents>", "<a/>", "</incidents>"),
		"comments":                worst.Text("<incidents>", "<!---->", "</incidents>"),
		"an open tag":             worst.Text("<incidents><incident a='", "<", ""),
		"a number without end":    event(`},"x":`, "1", "}"),
	}
}

// Whatever a feed of 1 MiB says, it costs no more than others can spare: when it is checked, and when it is read.
func TestTheWorstFeedsAreCheap(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: the race detector makes other costs")
	}
	limits := read.Limits{Bytes: 64 << 20, Features: 10_000}
	for what, text := range worstFeeds() {
		t.Run(what+"/checked", func(t *testing.T) {
			worst.Check(t, func(ctx context.Context) any {
				report, err := check.Document(ctx, strings.NewReader(text), limits, fleet.Instant(1795257727000))
				return []any{report, err}
			})
		})
		t.Run(what+"/read", func(t *testing.T) {
			worst.Check(t, func(ctx context.Context) any {
				result, err := read.Read(ctx, strings.NewReader(text), read.Limits{}, func(*read.WorkZone) {})
				return []any{result, err}
			})
		})
	}
}

// Who no longer waits for the answer makes no work, however much is unpacked.
func TestReadingAFeedEndsWithItsCall(t *testing.T) {
	ended, end := context.WithCancel(t.Context())
	text := worstFeeds()["many features"]
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
	_, err := read.Read(t.Context(), strings.NewReader(worstFeeds()["many features"]), read.Limits{Features: 100}, func(*read.WorkZone) {})
	if u, ok := err.(*read.Unreadable); !ok || u.Reason != read.TooLarge || u.Message != "The document has more than 1000 features." {
		t.Errorf("%v", err)
	}
}
