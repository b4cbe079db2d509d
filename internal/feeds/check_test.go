package feeds_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
	"lightbar/internal/wire"
)

// What cannot be checked is said in the catalog's words and at its field: nothing of
// what answered, and of no private network, comes through. Our own feed passes.
func TestCheckFeed(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		o := publishing(t, k)
		reader := k.Device(o.ID)
		admin, viewer := k.User(o.ID, "administrator"), k.User(o.ID, "viewer")
		for _, path := range []string{"wzdx-4.2.geojson", "cwz-1.0.geojson", "cifs.json", "cifs.xml"} {
			document, err := k.Feed(t.Context(), reader, o.ID, path)
			if err != nil {
				t.Fatal(err)
			}
			got, err := k.CheckFeed(t.Context(), k.User(o.ID, "operator"), wire.FeedCheck{Content: string(document.Body)})
			if err != nil || got.Features != 1 || got.Good != 1 || len(got.Rules) != 0 {
				t.Errorf("%s: %+v, %v", path, got, err)
			}
		}
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/503" {
				w.WriteHeader(http.StatusServiceUnavailable)
			}
			_, _ = w.Write([]byte("<html>secret"))
		}))
		defer server.Close()
		if _, err := k.CheckFeed(t.Context(), admin, wire.FeedCheck{URL: server.URL}); refusedAs(err) != "feed_address_refused url" {
			t.Error("our own network:", err)
		} else if strings.Contains(err.Error(), "127.0.0.1") {
			t.Error("it tells an address:", err)
		}
		k.Outbound.Lookup = func(context.Context, string) ([]netip.Addr, error) {
			return []netip.Addr{netip.MustParseAddr("93.184.216.34")}, nil
		}
		k.Outbound.Dial = func(ctx context.Context, _, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, "tcp", server.Listener.Addr().String())
		}
		for name, c := range map[string]struct {
			who  *access.Actor
			in   wire.FeedCheck
			said string
		}{
			"viewer":    {viewer, wire.FeedCheck{Content: "{}"}, "forbidden "},
			"nothing":   {admin, wire.FeedCheck{URL: " "}, "validation_failed url"},
			"both":      {admin, wire.FeedCheck{URL: "https://example.org/", Content: "{}"}, "validation_failed url"},
			"long":      {admin, wire.FeedCheck{URL: "https://example.org/" + strings.Repeat("x", 2000)}, "feed_address_invalid url"},
			"scheme":    {admin, wire.FeedCheck{URL: "file:///etc/passwd"}, "feed_address_invalid url"},
			"503":       {admin, wire.FeedCheck{URL: "http://example.org/503"}, "feed_status url"},
			"page":      {admin, wire.FeedCheck{URL: "http://example.org/"}, "feed_html url"},
			"too large": {admin, wire.FeedCheck{Content: strings.Repeat(" ", 10<<20+1)}, "feed_too_large content"},
			"empty":     {admin, wire.FeedCheck{Content: " "}, "feed_empty content"},
			"gzip":      {admin, wire.FeedCheck{Content: "\x1f\x8b\x08\x00"}, "feed_gzip_invalid content"},
			"no feed":   {admin, wire.FeedCheck{Content: `{"a": 1}`}, "feed_unknown content"},
		} {
			if _, err := k.CheckFeed(t.Context(), c.who, c.in); refusedAs(err) != c.said || err.Error() == "" || strings.Contains(err.Error(), "{") {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

// publishing is an organization that publishes a closure.
func publishing(t *testing.T, k *apptest.Kit) fleet.Organization {
	t.Helper()
	o := k.Organization("Works")
	must(t, second(k.UpdateOrganization(t.Context(), access.System(), o.ID, wire.OrganizationWrite{IsWZDxOrg: ref(true)})))
	_, _, err := k.Closures.Create(t.Context(), access.System(), wire.ClosureWrite{OrganizationID: ref(wire.ID(o.ID)), Description: ref("Paving"),
		UserRoute: &[]fleet.LatLng{{Lat: 39.7, Lng: -75.5}, {Lat: 39.71, Lng: -75.5}}, IsActive: ref(true), EndTime: ref(k.At().Add(8 * time.Hour)),
		Direction: ref("N"), RoadName: ref("I-95"), IsWZDxCompliant: ref(true), ExternalID: ref("DE-1"), LocationMethod: ref("sign-method"),
		VehicleImpact: ref("flagging")})
	must(t, err)
	return o
}

// refusedAs is the code of a refusal and its only field.
func refusedAs(err error) string {
	var refusal *fleet.Refusal
	if !errors.As(err, &refusal) {
		return "none"
	}
	field := refusal.Field
	for name := range refusal.Fields {
		field = name
	}
	return refusal.Code + " " + field
}
