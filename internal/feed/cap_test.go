package feed_test

import (
	"encoding/xml"
	"strings"
	"testing"
	"time"

	"lightbar/internal/feed"
	"lightbar/internal/fleet"
)

// warned is what a reader of the document understands; Body is each message as it stands.
type warned struct {
	Updated string `xml:"updated"`
	Entries []struct {
		ID      string `xml:"id"`
		Title   string `xml:"title"`
		Content struct {
			Type  string `xml:"type,attr"`
			Alert struct {
				XMLName    xml.Name
				Identifier string `xml:"identifier"`
				Sent       string `xml:"sent"`
				Type       string `xml:"msgType"`
				References string `xml:"references"`
				Info       struct {
					Expires     string   `xml:"expires"`
					Description string   `xml:"description"`
					Circles     []string `xml:"area>circle"`
					Polygons    []string `xml:"area>polygon"`
				} `xml:"info"`
			} `xml:"alert"`
		} `xml:"content"`
	} `xml:"entry"`
}

func readWarnings(t *testing.T, warnings []feed.Warning, at fleet.Instant) (out warned, text string) {
	t.Helper()
	body := feed.WarningDocument(source, warnings, at)
	if err := xml.Unmarshal(body, &out); err != nil {
		t.Fatalf("%v\n%s", err, body)
	}
	return out, string(body)
}

func scene(t *testing.T) feed.Warning {
	t.Helper()
	thing, state := engine()
	state.LocationID = "01900000-0000-7000-8000-0000000000f1"
	one, ok := feed.AlertOf(&thing, &state, now, naming)
	if !ok {
		t.Fatal("no alert")
	}
	two := one
	two.Kind = "police"
	l := &fleet.Location{ID: state.LocationID, Lat: 39.74471, Lng: -75.54841, Street: "N & S <King> St", StartAt: now - 45_000, AlertMessage: "internal"}
	return feed.Scene(l, []feed.Alert{one, two, one}, naming)
}

// A message is in CAP's order of elements, and says nothing that drivers may not learn.
func TestASceneIsAWarning(t *testing.T) {
	out, text := readWarnings(t, []feed.Warning{scene(t)}, now)
	one := out.Entries[0].Content
	if one.Type != "application/cap+xml" || one.Alert.XMLName.Space != "urn:oasis:names:tc:emergency:cap:1.2" || one.Alert.Type != "Alert" || one.Alert.References != "" {
		t.Errorf("%s", text)
	}
	if out.Entries[0].Title != "Responders on the road: N & S <King> St" || one.Alert.Info.Description != "On scene: Fire truck, Police." ||
		len(one.Alert.Info.Circles) != 1 || one.Alert.Info.Circles[0] != "39.74471,-75.54841 0.3" {
		t.Errorf("%s", text)
	}
	at := 0
	for _, name := range []string{"identifier", "sender", "sent", "status", "msgType", "scope", "info", "language", "category", "event", "responseType", "urgency",
		"severity", "certainty", "onset", "expires", "senderName", "headline", "description", "instruction", "area", "areaDesc", "circle"} {
		next := strings.Index(text[at:], "<"+name+">")
		if next < 0 {
			t.Fatalf("%s is missing, or too early: %s", name, text)
		}
		at += next
	}
	for _, secret := range []string{"01900000-0000-7000-8000-0000000000f1", "internal", thingOf().Nickname} {
		if strings.Contains(text, secret) {
			t.Errorf("it tells %q", secret)
		}
	}
}

func thingOf() fleet.Thing {
	thing, _ := engine()
	return thing
}

// Whoever keeps messages until they expire is told anew while a warning holds, and loses it within ten minutes once it does not.
func TestAWarningThatHoldsIsUpdated(t *testing.T) {
	w := scene(t)
	first, _ := readWarnings(t, []feed.Warning{w}, now)
	again, _ := readWarnings(t, []feed.Warning{w}, now+1000)
	later, _ := readWarnings(t, []feed.Warning{w}, now.Add(5*time.Minute))
	one, same, next := first.Entries[0].Content.Alert, again.Entries[0].Content.Alert, later.Entries[0].Content.Alert
	if one.Identifier != same.Identifier || one.Identifier == next.Identifier || next.Type != "Update" {
		t.Errorf("%+v\n%+v\n%+v", one, same, next)
	}
	if parts := strings.Split(next.References, ","); len(parts) != 3 || parts[1] != one.Identifier || parts[2] != one.Sent {
		t.Errorf("%q refers to no %s, %s", next.References, one.Identifier, one.Sent)
	}
	for _, c := range []struct{ sent, expires string }{{one.Sent, one.Info.Expires}, {next.Sent, next.Info.Expires}} {
		sent, err := time.Parse("2006-01-02T15:04:05-07:00", c.sent)
		expires, err2 := time.Parse("2006-01-02T15:04:05-07:00", c.expires)
		if err != nil || err2 != nil || !strings.HasSuffix(c.sent, "-00:00") || expires.Sub(sent) < 5*time.Minute || expires.Sub(sent) > 10*time.Minute {
			t.Errorf("%+v", c)
		}
	}
}

func TestAZonesShapesAreAreas(t *testing.T) {
	feature := func(kind string, radius float64, line ...[2]float64) fleet.Feature {
		return fleet.Feature{Type: "Feature", Geometry: fleet.Geometry{Type: kind, Lines: [][][2]float64{line}}, Properties: fleet.FeatureProperties{RadiusM: radius}}
	}
	zone := &fleet.Zone{ID: "z", BeganAt: now - 5_000, AlertMessage: "Slow  down,\ncrews ahead", Features: &fleet.FeatureCollection{Features: []fleet.Feature{
		feature("Polygon", 0, [2]float64{-75.5, 39.7}, [2]float64{-75.4, 39.8}, [2]float64{-75.4, 39.7}, [2]float64{-75.5, 39.7}), // drawn clockwise
		feature("Point", 250, [2]float64{-75.5, 39.7}),
		feature("LineString", 0, [2]float64{-75.5, 39.7}, [2]float64{-75.5, 39.71}),
	}}}
	out, text := readWarnings(t, []feed.Warning{feed.ZoneWarning(zone, naming)}, now)
	info := out.Entries[0].Content.Alert.Info
	if out.Entries[0].Title != "Slow down, crews ahead" || len(info.Polygons) != 1 || info.Polygons[0] != "39.7,-75.5 39.7,-75.4 39.8,-75.4 39.7,-75.5" {
		t.Errorf("%s", text)
	}
	if len(info.Circles) != 2 || info.Circles[0] != "39.7,-75.5 0.25" || !strings.HasPrefix(info.Circles[1], "39.705,-75.5 0.55") {
		t.Errorf("%q", info.Circles)
	}
}

// With nothing to warn of, the document is as good: a feed without entries whose tag changes every five minutes at most.
func TestNoWarnings(t *testing.T) {
	out, _ := readWarnings(t, nil, now)
	if len(out.Entries) != 0 || out.Updated == "" {
		t.Errorf("%+v", out)
	}
}

// What people wrote ends as they ended it.
func TestATextEndsOnce(t *testing.T) {
	for said, want := range map[string]string{"Slow down": "Slow down.", "Slow down.": "Slow down.", "Slow down!": "Slow down!", "Crews ahead? ": "Crews ahead?"} {
		out, _ := readWarnings(t, []feed.Warning{feed.ZoneWarning(&fleet.Zone{ID: "z", BeganAt: now, AlertMessage: said}, naming)}, now)
		if got := out.Entries[0].Content.Alert.Info.Description; got != want {
			t.Errorf("CAP: %q of %q", got, said)
		}
		c := closure()
		c.AlertMessage, c.Description = strings.TrimSpace(said), "Night work."
		if text := whole(t, "closures.rss", c); !strings.Contains(text, ". Night work. "+want+" ") {
			t.Errorf("RSS: %s", text)
		}
		if text := string(formatOf(t, "wzdx-4.2.geojson").Feature(&c, feed.PhaseOf(&c, now))); !strings.Contains(text, `"`+want+` Night work."`) {
			t.Errorf("WZDx: %s", text)
		}
	}
}
