package api

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/alerts"
	"lightbar/internal/fleet"
)

var (
	alertWriteWithin = catalog.LimitMs("alerts", "writeMs")
	alertRadiusLeast = catalog.LimitInt("alerts", "radiusLeastM")
	alertRadiusMost  = catalog.LimitInt("alerts", "radiusMostM")
)

// keyOf authenticates the key of a reader of public documents: Authorization: Bearer or ?key=; nil = it has none.
func (s *server) keyOf(r *http.Request) (*access.Actor, error) {
	key, isSaid := bearerOf(r.Header.Get("Authorization"))
	if !isSaid {
		key = r.URL.Query().Get("key")
	}
	var actor *access.Actor
	var err error
	if key != "" {
		actor, err = s.app.AuthenticateKey(r.Context(), key, callOf(r.Context()).Network)
	}
	if actor != nil && actor.Reach(r.PathValue("organization")) != access.None {
		return actor, nil
	}
	// A key that is none, or of others, opens no more than no key does, and lifts no brake.
	if f := s.brakeReader(r); f != nil {
		return nil, f
	}
	return actor, err
}

// serveAlertStream follows an organization's alerts to drivers:
// GET /feeds/{organizationId}/alerts/stream (docs/feeds.md, "Warning drivers"), as
// server-sent events. Where the driver is comes with the query, which nothing
// logs, and is kept for as long as the stream is open.
func (s *server) serveAlertStream(w http.ResponseWriter, r *http.Request) {
	f, isOpen, err := s.followAlerts(r)
	if err != nil {
		failureOf(err).write(w, r)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no") // what proxies hold back is late
	if isOpen {
		openToPages(h)
	}
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Time{}) // of HTTP/1, where it ends a request that lasts
	w.WriteHeader(http.StatusOK)
	err = f.Run(r.Context(), func(out []byte) error {
		if err := control.SetWriteDeadline(time.Now().Add(alertWriteWithin)); err != nil {
			return err
		}
		if _, err := w.Write(out); err != nil {
			return err
		}
		if err := control.Flush(); err != nil {
			return err
		}
		return control.SetWriteDeadline(time.Time{}) // of HTTP/2, where it ends a stream that waits
	})
	if !errors.Is(err, alerts.ErrOver) && r.Context().Err() == nil {
		panic(http.ErrAbortHandler) // a reader that is too slow must not take this for the end of an answer
	}
}

// openToPages lets pages of others read an answer.
func openToPages(h http.Header) {
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Cross-Origin-Resource-Policy", "cross-origin")
}

// followAlerts finds out who asks for what, and takes a place for it.
func (s *server) followAlerts(r *http.Request) (f *alerts.Follower, isOpen bool, err error) {
	actor, err := s.keyOf(r)
	if err != nil {
		return nil, false, err
	}
	organizationID := r.PathValue("organization")
	key, isOpen, err := s.app.FollowAlerts(r.Context(), actor, organizationID)
	if err != nil {
		return nil, false, err
	}
	if s.options.Alerts == nil {
		return nil, false, fail("not_found")
	}
	in := alerts.Request{OrganizationID: organizationID, KeyID: key, Address: callOf(r.Context()).Network,
		LastEventID: r.Header.Get("Last-Event-ID")}
	if in.Circle, in.Heading, err = readAlertQuery(r.URL.Query()); err != nil {
		return nil, false, err
	}
	ctx, cancel := context.WithTimeout(r.Context(), callTimeout)
	defer cancel()
	f, err = s.options.Alerts.Join(ctx, in)
	return f, isOpen, err
}

// readAlertQuery reads where a driver is: lat, lng and radius_m together or none of them, and heading.
func readAlertQuery(q url.Values) (circle *alerts.Circle, heading *float64, err error) {
	fields := map[string]string{}
	number := func(name string, least, most float64, sentence string) (v float64) {
		values := q[name]
		if len(values) == 0 {
			return 0
		}
		v, err := strconv.ParseFloat(values[0], 64)
		if err != nil || len(values) > 1 || !(v >= least && v <= most) { // NaN is within nothing
			fields[name] = sentence
		}
		return v
	}
	c := alerts.Circle{Lat: number("lat", -90, 90, "The latitude must be one number from -90 to 90."),
		Lng: number("lng", -180, 180, "The longitude must be one number from -180 to 180."),
		RadiusM: number("radius_m", float64(alertRadiusLeast), float64(alertRadiusMost), "The radius must be one number of meters from "+
			strconv.FormatInt(alertRadiusLeast, 10)+" to "+strconv.FormatInt(alertRadiusMost, 10)+".")}
	h := number("heading", 0, 360, "The heading must be one number of degrees from 0 to 360.")
	var missing []string
	for _, name := range []string{"lat", "lng", "radius_m"} {
		if !q.Has(name) {
			missing = append(missing, name)
		}
	}
	if len(missing) < 3 {
		for _, name := range missing {
			fields[name] = "Send lat, lng, and radius_m together, or none of them."
		}
		circle = &c
	}
	if q.Has("heading") {
		heading = &h
	}
	if len(fields) > 0 {
		return nil, nil, fleet.RefuseFields(fields)
	}
	return circle, heading, nil
}
