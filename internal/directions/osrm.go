package directions

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"lightbar/internal/geo"
)

const (
	callLimit    = 5 * time.Second
	bodyLimit    = 4 << 20
	mostSentence = 200          // letters of what the service says
	aroundM      = 40_075_017.0 // around the Earth
)

// Failure is that the service laid no line.
type Failure struct {
	// Sentence is what the service says to people; empty when it said nothing.
	Sentence string
	cause    error
}

// Error implements error.
func (f *Failure) Error() string { return "directions: " + f.cause.Error() }

// Unwrap is the cause, for the log.
func (f *Failure) Unwrap() error { return f.cause }

// osrmAnswer is what the service answers (project-osrm.org, "Route service").
type osrmAnswer struct {
	Code    string
	Message string
	Routes  []struct {
		Distance float64
		Geometry struct{ Coordinates [][2]float64 }
		Legs     []struct {
			Steps []struct {
				Name, Ref string
				Distance  float64
			}
		}
	}
}

func (f *Finder) ask(ctx context.Context, waypoints []geo.LatLng) (Way, error) {
	ctx, cancel := context.WithTimeout(ctx, callLimit)
	defer cancel()
	places := make([]string, len(waypoints))
	for i, p := range waypoints {
		places[i] = fmt.Sprintf("%.6f,%.6f", p.Lng, p.Lat)
	}
	address := strings.TrimRight(f.URL, "/") + "/route/v1/driving/" + strings.Join(places, ";") +
		"?overview=full&geometries=geojson&steps=true"
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return Way{}, &Failure{cause: errors.New("the address of the service is unusable")}
	}
	client := http.Client{Transport: f.Transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := client.Do(r)
	if err != nil {
		return Way{}, &Failure{cause: errors.Unwrap(err)} // without the address: it says where someone looks
	}
	defer res.Body.Close()
	var a osrmAnswer
	if err := json.NewDecoder(io.LimitReader(res.Body, bodyLimit)).Decode(&a); err != nil {
		return Way{}, &Failure{cause: fmt.Errorf("status %d, and the answer is not JSON of at most 4 MB", res.StatusCode)}
	}
	return a.way()
}

func (a *osrmAnswer) way() (Way, error) {
	switch {
	case a.Code == "NoRoute" || a.Code == "NoSegment":
		return Way{}, errNoWay
	case a.Code != "Ok":
		return Way{}, &Failure{Sentence: sentence(a.Message), cause: fmt.Errorf("code %.40q", a.Code)}
	case len(a.Routes) == 0 || len(a.Routes[0].Geometry.Coordinates) < 2:
		return Way{}, &Failure{cause: errors.New("the answer has no line")}
	}
	way := Way{DistanceM: a.Routes[0].Distance, IsRouted: true}
	if !(way.DistanceM >= 0 && way.DistanceM <= aroundM) {
		return Way{}, &Failure{cause: errors.New("the line of the answer has an impossible length")}
	}
	for _, at := range a.Routes[0].Geometry.Coordinates {
		if !(at[1] >= -90 && at[1] <= 90 && at[0] >= -180 && at[0] <= 180) {
			return Way{}, &Failure{cause: errors.New("the line of the answer leaves the Earth")}
		}
		way.Points = append(way.Points, geo.LatLng{Lat: at[1], Lng: at[0]})
	}
	for _, leg := range a.Routes[0].Legs {
		for _, s := range leg.Steps {
			way.parts = append(way.parts, stretch{sentence(called(s.Name, s.Ref, "")), max(s.Distance, 0)})
		}
	}
	return way, nil
}

// sentence is a text of the service as people may read it: one line, not long.
func sentence(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == utf8.RuneError {
			return -1
		}
		return r
	}, strings.TrimSpace(text))
	if letters := []rune(text); len(letters) > mostSentence {
		text = string(letters[:mostSentence])
	}
	return text
}
