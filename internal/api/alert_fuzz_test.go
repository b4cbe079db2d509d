package api

import (
	"net/url"
	"testing"
)

// What a driver's app asks for is within its bounds, or refused.
func FuzzAlertQuery(f *testing.F) {
	for _, seed := range []string{"", "lat=39.7&lng=-75.5&radius_m=1000&heading=90", "lat=NaN&lng=Inf&radius_m=1e99", "lat=0x1p-2&lng=1_0&radius_m=100", "heading=360&heading=1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, query string) {
		q, err := url.ParseQuery(query)
		if err != nil {
			return
		}
		circle, heading, err := readAlertQuery(q)
		if err != nil {
			if circle != nil || heading != nil {
				t.Error("refused, and taken")
			}
			return
		}
		if circle != nil && !(circle.Lat >= -90 && circle.Lat <= 90 && circle.Lng >= -180 && circle.Lng <= 180 && circle.RadiusM >= 100 && circle.RadiusM <= 50_000) ||
			heading != nil && !(*heading >= 0 && *heading <= 360) || (circle != nil) != q.Has("lat") || (heading != nil) != q.Has("heading") {
			t.Errorf("%q: %+v %v", query, circle, heading)
		}
	})
}

// What an app tells is read in one way, or refused.
func FuzzImpressions(f *testing.F) {
	for _, seed := range []string{`{"consumer":"x","alerts":["a"]}`, `{"consumer":null,"alerts":[null]}`, `{"consumer":"x","consumer":"y","alerts":[]}`, `[]`, `{"alerts":{}}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		in, err := readImpressions(body)
		if err != nil && (in.Consumer != "" || in.Alerts != nil) {
			t.Error("refused, and taken")
		}
		if err == nil && in.Alerts == nil {
			t.Error("taken without its alerts")
		}
	})
}
