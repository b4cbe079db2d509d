package device_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/wire"
)

func TestADeviceFetchesItsConfiguration(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		r := newRoom(t, s)
		no, _ := r.Live.Find(r.org, "HA7-0")
		id, _ := r.Live.ThingByNo(no)
		other := r.Organization("Other")
		theirs := r.Things(other.ID, "THEIRS", 1)[0].ID
		if _, err := r.RegisterThing(t.Context(), access.System(), app.NewThing{OrganizationID: r.org, SystemName: "PHONE", Type: "fire"}); err != nil {
			t.Fatal(err)
		}
		want := fleet.DeviceConfig{Model: "HA7-N", Platform: "esp32", FileName: "ha7.bin", HeartbeatIntervalS: 60, WarningLightPin: 4, IndicatorPin: 5, LocationType: "gps"}
		for _, to := range []string{id, theirs} {
			if _, err := r.SetDeviceConfig(t.Context(), access.System(), to, app.DeviceConfigEdit{DeviceConfig: want}); err != nil {
				t.Fatal(err)
			}
		}
		one := r.Key(r.org, id)
		get := func(method, asset, key, tag string) (*httptest.ResponseRecorder, wire.One[wire.DeviceConfig]) {
			t.Helper()
			req := httptest.NewRequest(method, "/api/ingest/device_config?asset="+asset, nil)
			req.Header.Set("Authorization", "Bearer "+key)
			if tag != "" {
				req.Header.Set("If-None-Match", tag)
			}
			w := httptest.NewRecorder()
			r.h.ServeHTTP(w, req)
			var got wire.One[wire.DeviceConfig]
			if w.Code == http.StatusOK {
				if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
					t.Fatalf("%q: %v", w.Body, err)
				}
			}
			return w, got
		}
		want.Version = 1
		for _, c := range []struct {
			name, method, asset, key, tag string
			status                        int
		}{
			{"by name", "GET", "HA7-0", r.key, "", 200},
			{"by name in another case", "GET", "ha7-0", r.key, "", 200},
			{"with its own key", "GET", "", one, "", 200},
			{"with its own key and name", "GET", "HA7-0", one, "", 200},
			{"as it has it", "GET", "HA7-0", r.key, `"1"`, 304},
			{"as it had it", "GET", "HA7-0", r.key, `"0"`, 200},
			{"another's with its own key", "GET", "HA7-1", one, "", 422},
			{"no name", "GET", "", r.key, "", 422},
			{"not configured", "GET", "HA7-1", r.key, "", 404},
			{"not a device of ours", "GET", "PHONE", r.key, "", 422},
			{"of another organization", "GET", "THEIRS-0", r.key, "", 422},
			{"a bad key", "GET", "HA7-0", "lb_key_x", "", 401},
			{"writing", "PUT", "HA7-0", r.key, "", 405},
		} {
			w, got := get(c.method, c.asset, c.key, c.tag)
			if w.Code != c.status {
				t.Errorf("%s: %d %s", c.name, w.Code, w.Body)
			}
			if c.status == 200 && (got.Data != wire.DeviceConfigOf(want) || w.Header().Get("ETag") != `"1"`) {
				t.Errorf("%s: %+v %v", c.name, got, w.Header())
			}
		}
	})
}
