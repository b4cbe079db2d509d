package directions_test

import (
	"errors"
	"io"
	"math"
	"net/http"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"lightbar/internal/directions"
	"lightbar/internal/geo"
)

// answering gives each question the same bytes.
type answering string

func (a answering) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(string(a))), Request: r}, nil
}

func shown(text string) bool {
	return utf8.ValidString(text) && utf8.RuneCountInString(text) <= 200 && !strings.ContainsFunc(text, unicode.IsControl)
}

// FuzzAnswer reads any answer of a service: a line on the Earth of a length
// that can be, with names that can be shown, or a failure of one line.
func FuzzAnswer(f *testing.F) {
	for _, body := range []string{
		`{"code":"Ok","routes":[{"distance":812.5,"geometry":{"coordinates":[[-75.5516,39.7402],[-75.55,39.741],[-75.5492,39.7416]]},` +
			`"legs":[{"steps":[{"name":"Short Street","distance":100},{"name":"","ref":"US 13; US 40","distance":712.5}]}]}],` +
			`"waypoints":[{"hint":"x","distance":4.2,"name":"Short Street","location":[-75.5516,39.7402]}]}`,
		`{"code":"NoRoute","message":"Impossible route between points"}`, `{"code":"InvalidQuery","message":"Query string malformed close to position 28"}`,
		`{"code":"Ok","routes":[{"distance":-5,"geometry":{"coordinates":[[0,0],[0,0]]}}]}`,
		`{"code":"Ok","routes":[{"distance":1e300,"geometry":{"coordinates":[[0,0],[0,91]]}}]}`,
		`{"code":"Ok","routes":[{"geometry":{"coordinates":[[1,2],[3,4]]},"legs":[{"steps":[{"name":"a\u0000\r\nb","distance":-1}]}]}]}`,
		`{"code":"\n","message":"\u0085x\u2028"}`, `<html>`, `null`,
	} {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		finder := directions.Finder{URL: "https://osrm.example", Transport: answering(body)}
		way, err := finder.Find(t.Context(), []geo.LatLng{market, sixth})
		if err != nil {
			var failure *directions.Failure
			if !errors.As(err, &failure) || !shown(failure.Sentence) || strings.ContainsFunc(err.Error(), unicode.IsControl) {
				t.Fatalf("%q: %v", body, err)
			}
			return
		}
		if len(way.Points) < 2 || !(way.DistanceM >= 0 && way.DistanceM <= 2*math.Pi*6.4e6) || !shown(way.Road) || !shown(way.Start) || !shown(way.End) {
			t.Fatalf("%q: %+v", body, way)
		}
		for _, p := range way.Points {
			if !(math.Abs(p.Lat) <= 90 && math.Abs(p.Lng) <= 180) {
				t.Fatalf("%q: %+v", body, p)
			}
		}
	})
}
