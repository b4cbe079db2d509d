package api_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"lightbar/internal/api"
	"lightbar/internal/app"
	"lightbar/internal/testkit"
	"lightbar/internal/testkit/tilestest"
	"lightbar/internal/wire"
	"lightbar/internal/words"
)

// withStreets is a world with a few blocks of a city.
func withStreets(t *testing.T, more func(*api.Options)) *testkit.World {
	roads, places := tilestest.Streets(t)
	return testkit.New(t, testkit.WithBuild(func(_ *app.App, o *api.Options) {
		o.Roads, o.Places = roads, places
		if more != nil {
			more(o)
		}
	}))
}

func TestPlacesAreFound(t *testing.T) {
	w := withStreets(t, nil)
	token := w.SignIn("viewer").AccessToken
	for query, want := range map[string]string{
		"q=market+st":                                     "street: North Market Street, Wilmington",
		"q=Market+St+%26+5th":                             "crossing: North Market Street & East 5th Street, Wilmington",
		"q=500+N+King+St":                                 "address: 500 North King Street, Wilmington",
		"q=i95+exit+5a":                                   "exit: I-95 exit 5A, heading northeast, Wilmington",
		"q=87F6PFRX%2BFM":                                 "plus_code: 87F6PFRX+FM, Wilmington",
		"q=PFRX%2BFM+Wilmington":                          "plus_code: 87F6PFRX+FM, Wilmington",
		"q=PFRX%2BFM,+Wilmington":                         "plus_code: 87F6PFRX+FM, Wilmington",
		"q=PFRX%2BFM&lat=39.7&lng=-75.5":                  "plus_code: 87F6PFRX+FM, Wilmington",
		"q=PFRX%2BFM":                                     "",
		"q=PFRX%2BFM+Atlantis":                            "",
		"q=PFRX%2BFM+Atlantis&lat=39.7&lng=-75.5":         "plus_code: 87F6PFRX+FM, Wilmington?",
		"q=Wilmington,+DE+PFRX%2BFM":                      "plus_code: 87F6PFRX+FM, Wilmington",
		"q=" + url.QueryEscape(`39°44'26"N 75°33'4.68"W`): "coordinates: 39.7405555, -75.5513, Wilmington",
		"q=geo:39.7406,-75.5513":                          "coordinates: 39.7406, -75.5513, Wilmington",
		"q=300+N+King+St":                                 "street: North King Street, Wilmington?",
		"q=Market+St,+Atlantis":                           "street: North Market Street, Wilmington?",
		"q=Market+St+%26+Nowhere":                         "street: North Market Street, Wilmington?",
		"q=Nowhere+Lane,+Wilmington":                      "town: Wilmington, ?",
		"q=i95+exit+99":                                   "street: I-95, Wilmington?",
		"q=PFRX%2BFM+Wilmington,+DE":                      "plus_code: 87F6PFRX+FM, Wilmington",
		"q=Wilmington,+DE":                                "town: Wilmington, ",
		"q=I-9":                                           "",
		"q=no+such+street":                                "",
		"lat=39.7406&lng=-75.5513":                        "street: North Market Street, Wilmington",
		"lat=10&lng=10":                                   "",
		"q=" + url.QueryEscape("'; DROP TABLE"):           "",
	} {
		list := testkit.Decode[wire.List[api.FoundPlace]](t, w.Get("/api/geocode?"+query, token))
		got := ""
		if len(list.Data) > 0 {
			p := list.Data[0]
			got = p.Kind + ": " + p.Label + ", " + p.Near
			if p.IsPartial {
				got += "?"
			}
		}
		if got != want || list.Meta.Total != len(list.Data) {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
	for query, want := range map[string]string{
		"Wilmington, NC":              "No town called Wilmington in North Carolina is known.",
		"wilmington, north carolina":  "No town called Wilmington in North Carolina is known.",
		"Market St, Wilmington, NC":   "No town called Wilmington in North Carolina is known.",
		"Wilmington, Canada":          "No town called Wilmington in Canada is known.",
		"Atlantis, MD":                "No place called Atlantis in Maryland is known.",
		"Wilmington, DE":              "",
		"no such street":              "",
		"Nowhere Lane, Wilmington DE": "",
	} {
		found := testkit.Decode[api.FoundPlaces](t, w.Get("/api/geocode?q="+url.QueryEscape(query), token))
		if found.Message != want || want != "" && len(found.Data) > 0 {
			t.Errorf("%s: %q, want %q: %+v", query, found.Message, want, found.Data)
		}
	}
	config := testkit.Decode[wire.One[api.MapConfig]](t, w.Get("/api/map/config", token)).Data
	if !config.Search || config.Words {
		t.Errorf("%+v", config)
	}
}

func TestSearchesAreBounded(t *testing.T) {
	w := withStreets(t, nil)
	token := w.SignIn("viewer").AccessToken
	for query, field := range map[string]string{
		"":                                   "lat",
		"lat=39.7":                           "lng",
		"lat=91&lng=0":                       "lat",
		"lat=NaN&lng=0":                      "lat",
		"q=a+street&lat=1&lng=181":           "lng",
		"q=" + strings.Repeat("%C3%A9", 201): "q",
	} {
		r := w.Get("/api/geocode?"+query, token)
		if r.Status != http.StatusUnprocessableEntity || !strings.Contains(r.Text, `"`+field+`"`) {
			t.Errorf("%.40s: %d %s", query, r.Status, r.Text)
		}
	}
	if r := w.Get("/api/geocode?q="+strings.Repeat("%C3%A9", 200), token); r.Status != http.StatusOK {
		t.Errorf("200 letters: %d %s", r.Status, r.Text)
	}
	if r := w.Get("/api/geocode?q=market", ""); r.Status != http.StatusUnauthorized {
		t.Errorf("nobody: %d", r.Status)
	}
}

// Without streets there is nothing to find, but codes are read.
func TestSearchWithoutRegion(t *testing.T) {
	w := testkit.New(t)
	token := w.SignIn("viewer").AccessToken
	for query, want := range map[string]int{"q=market+st": 0, "lat=39.7&lng=-75.5": 0, "q=87F6PFRX%2BFM": 1} {
		if list := testkit.Decode[wire.List[api.FoundPlace]](t, w.Get("/api/geocode?"+query, token)); len(list.Data) != want {
			t.Errorf("%s: %+v", query, list.Data)
		}
	}
	if config := testkit.Decode[wire.One[api.MapConfig]](t, w.Get("/api/map/config", token)).Data; config.Search {
		t.Errorf("%+v", config)
	}
	if r := w.Get("/api/what3words?lat=39.7&lng=-75.5", token); r.Status != http.StatusNotFound {
		t.Errorf("without a key: %d %s", r.Status, r.Text)
	}
}

// spec: 7.other.03 9.open.02
func TestWordsOfAPlace(t *testing.T) {
	status := http.StatusOK
	fake := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = w.Write([]byte(`{"words":"filled.count.soap"}`))
	}))
	t.Cleanup(fake.Close)
	w := withStreets(t, func(o *api.Options) { o.Words = &words.Client{Key: "secret", Address: fake.URL} })
	token := w.SignIn("viewer").AccessToken
	if !testkit.Decode[wire.One[api.MapConfig]](t, w.Get("/api/map/config", token)).Data.Words {
		t.Error("the map is not told")
	}
	if got := testkit.Decode[wire.One[api.Words]](t, w.Get("/api/what3words?lat=51.520847&lng=-0.195521", token)).Data.Words; got != "filled.count.soap" {
		t.Error(got)
	}
	status = http.StatusTooManyRequests
	if r := w.Get("/api/what3words?lat=1&lng=2", token); r.Status != http.StatusServiceUnavailable || !strings.Contains(r.Text, "words_unreachable") {
		t.Errorf("too often: %d %s", r.Status, r.Text)
	}
	if r := w.Get("/api/what3words?lat=1&lng=2", ""); r.Status != http.StatusUnauthorized {
		t.Errorf("nobody: %d", r.Status)
	}
	if r := w.Get("/api/what3words?lat=1", token); r.Status != http.StatusUnprocessableEntity {
		t.Errorf("half a place: %d %s", r.Status, r.Text)
	}
}
