package places

import (
	"strings"
	"testing"

	"lightbar/internal/geo"
)

// Where nothing has all that was asked for, what has a part of it says so; and
// what has all of it never does, and comes first.
func TestNearMatches(t *testing.T) {
	r, p := opened(t, numberedCounty())
	for query, want := range map[string]string{
		"Duncan Road":              "street: Duncan Road, Dewey Beach",
		"Dunc":                     "street: Duncan Road, Dewey Beach",
		"DE 141 & DE 2":            "crossing: DE 141 & DE 2, Newark",
		"Newark, NJ":               "town: Newark?",
		"Newark, Canada":           "town: Newark?",
		"Dewey, DE":                "town: Dewey Beach?",
		"Philadelphia, PA":         "",
		"Duncan, PA":               "",
		"Duncan Road, Atlantis":    "street: Duncan Road, Dewey Beach?",
		"Duncan Road, Newark, NJ":  "street: Duncan Road, Dewey Beach?",
		"Duncan Road Atlantis":     "street: Duncan Road, Dewey Beach?",
		"Upper Duncan Road":        "street: Duncan Road, Dewey Beach?",
		"77 Duncan Road":           "street: Duncan Road, Dewey Beach?",
		"N Duncan Road":            "street: Duncan Road, Dewey Beach?",
		"US 9":                     "street: US 9 Business, Dewey Beach?",
		"US 13 Business":           "street: US 13 Business, Newark",
		"Duncan Road & Nowhere":    "street: Duncan Road, Dewey Beach?",
		"Nowhere & Duncan Road":    "street: Duncan Road, Dewey Beach?",
		"Nowhere Lane, Newark":     "town: Newark?",
		"Nowhere Lane":             "",
		"Road":                     "street: Newark Road, Dewey Beach",
		"Route 999":                "",
		"Nowhere, Nothing, Nobody": "",
	} {
		got := ""
		if found := p.Search(r, query, geo.LatLng{Lat: 40.04, Lng: -74.96}, 1); len(found) > 0 {
			got = strings.Join(labels(found), "")
			if found[0].IsPartial {
				got += "?"
			}
		}
		if got != want {
			t.Errorf("%q: %q, want %q", query, got, want)
		}
	}
	before := false
	for _, x := range p.Search(r, "US 13", nowhere, 20) {
		if before && !x.IsPartial {
			t.Errorf("%s stands behind a near match", x.Label)
		}
		before = x.IsPartial
	}
	if !before {
		t.Error("US 13 Business is another road than US 13")
	}
}

// However much nearer a near match is, what has all that was asked for comes first.
func TestAWholeMatchComesFirst(t *testing.T) {
	f := placeSearch{found: []foundPlace{{Place{Label: "near", IsPartial: true}, 0}, {Place{Label: "far", LatLng: geo.LatLng{Lat: 1}}, 9}}}
	if got := f.best(2); got[0].Label != "far" || len(got) != 2 {
		t.Errorf("%+v", got)
	}
}

// A place that a text says by itself.
func TestWhatATextSaysByItself(t *testing.T) {
	_, p := opened(t, numberedCounty())
	newark := geo.LatLng{Lat: 40, Lng: -75 + 3000.0/85180}
	code := PlusCode(newark, plusPairs)
	for text, want := range map[string]string{
		code:                            code,
		strings.ToLower(code[4:]):       "",
		code[4:] + " Newark, DE":        code,
		code[4:] + ", Newark":           code,
		"Newark, Delaware, " + code[4:]: code,
		code[4:] + " Duncan Road":       code,
		code[4:] + " Atlantis":          "",
		"40, -75":                       "40, -75",
		"40 N 75 W":                     "40, -75",
		"Newark":                        "",
	} {
		if got, ok := p.Said(text, nowhere); got.Label != want || ok != (want != "") || got.IsPartial {
			t.Errorf("%q: %+v, want %q", text, got, want)
		}
	}
	if got, ok := p.Said(code[4:]+" Newark, NJ", newark); !ok || got.Label != code || !got.IsPartial {
		t.Errorf("of another state: %+v", got)
	}
	if got, ok := (*Places)(nil).Said(code[4:]+" Newark", newark); !ok || got.Label != code || !got.IsPartial {
		t.Errorf("without a region: %+v", got)
	}
}
