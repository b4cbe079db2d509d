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
		"Duncan Road":                  "street: Duncan Road, Dewey Beach",
		"Dunc":                         "street: Duncan Road, Dewey Beach",
		"DE 141 & DE 2":                "crossing: DE 141 & DE 2, Newark",
		"Newark, NJ":                   "",
		"Newark, MD":                   "",
		"newark maryland":              "",
		"Newark, Canada":               "",
		"Elkton, DE":                   "",
		"Duncan Road, Elkton, MD":      "town: Elkton?",
		"Newark Road, Newark, MD":      "",
		"Side Lane, Newark, MD":        "",
		"Side Lane, Elkton, MD":        "street: Side Lane, Elkton",
		"DE 141 & DE 2, MD":            "",
		"Dewey, DE":                    "town: Dewey Beach?",
		"Philadelphia, PA":             "",
		"Duncan, PA":                   "",
		"Duncan Road, Atlantis":        "street: Duncan Road, Dewey Beach?",
		"Duncan Road, Newark, NJ":      "",
		"Duncan Road, Dewey Beach, NJ": "",
		"Duncan Road, De":              "street: Duncan Road, Dewey Beach",
		"Duncan Road, Newark, DE":      "street: Duncan Road, Dewey Beach?",
		"Duncan Road Atlantis":         "street: Duncan Road, Dewey Beach?",
		"Upper Duncan Road":            "street: Duncan Road, Dewey Beach?",
		"77 Duncan Road":               "street: Duncan Road, Dewey Beach?",
		"N Duncan Road":                "street: Duncan Road, Dewey Beach?",
		"US 9":                         "street: US 9 Business, Dewey Beach?",
		"US 13 Business":               "street: US 13 Business, Newark",
		"Duncan Road & Nowhere":        "street: Duncan Road, Dewey Beach?",
		"Nowhere & Duncan Road":        "street: Duncan Road, Dewey Beach?",
		"Nowhere Lane, Newark":         "town: Newark?",
		"Nowhere Lane":                 "",
		"Road":                         "street: Newark Road, Dewey Beach",
		"Route 999":                    "",
		"Nowhere, Nothing, Nobody":     "",
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

// A state that has no such town says so, and is not answered by the town of another.
func TestATownOfAnotherState(t *testing.T) {
	_, p := opened(t, numberedCounty())
	for query, want := range map[string]string{
		"Newark, MD":                "No town called Newark in Maryland is known.",
		"newark maryland":           "No town called Newark in Maryland is known.",
		"City of Newark, Maryland":  "No town called Newark in Maryland is known.",
		"Newark, MD 21811, USA":     "No town called Newark in Maryland is known.",
		"Duncan Road, Newark, NJ":   "No town called Newark in New Jersey is known.",
		"Elkton, DE":                "No town called Elkton in Delaware is known.",
		"Newark, Ontario":           "No town called Newark in Ontario is known.",
		"Newark, Canada":            "No town called Newark in Canada is known.",
		"Duncan Road, Atlantis, DE": "No town called Atlantis in Delaware is known.",
		"Philadelphia, PA":          "No place called Philadelphia in Pennsylvania is known.",
		"Newark, DE":                "", "Newark": "", "Duncan Road": "", "MD": "", "Nowhere Lane, Newark, DE": "", "Newark, USA": "",
	} {
		if got := p.NotThere(query); got != want {
			t.Errorf("%q: %q, want %q", query, got, want)
		}
	}
	at := geo.LatLng{Lat: 40, Lng: -75 + 3000.0/85180}
	for said, want := range map[string]bool{"Newark": true, "Newark, DE": true, "DE": true, "New": true, "Newark, MD": false, "MD": false, "Elkton": false, "": true} {
		if got := p.IsIn("Newark", at, said); got != want {
			t.Errorf("in %q: %v", said, got)
		}
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
		if got, ok := p.Parse(text, nowhere); got.Label != want || ok != (want != "") || got.IsPartial {
			t.Errorf("%q: %+v, want %q", text, got, want)
		}
	}
	if got, ok := p.Parse(code[4:]+" Newark, NJ", newark); !ok || got.Label != code || !got.IsPartial {
		t.Errorf("of another state: %+v", got)
	}
	if got, ok := (*Places)(nil).Parse(code[4:]+" Newark", newark); !ok || got.Label != code || !got.IsPartial {
		t.Errorf("without a region: %+v", got)
	}
}
