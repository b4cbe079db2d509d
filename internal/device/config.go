package device

import (
	"encoding/json"
	"net/http"
	"strconv"

	"lightbar/internal/app"
	"lightbar/internal/wire"
)

// NewConfig serves GET /api/ingest/device_config?asset=NAME: a device fetches its wiring and reporting configuration, by API key;
// asset may be left out with the key of one asset. The answer carries its version as ETag, so that a device may poll often
// (If-None-Match: 304).
func NewConfig(a *app.App, o Options) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			fail(w, "method_not_allowed", "")
			return
		}
		actor, err := a.AuthenticateKey(r.Context(), bearer(r), o.network(r))
		if err != nil {
			refuse(w, err)
			return
		}
		c, err := a.DeviceConfigForKey(r.Context(), actor, r.URL.Query().Get("asset"))
		if err != nil {
			refuse(w, err)
			return
		}
		h := w.Header()
		tag := `"` + strconv.FormatInt(c.Version, 10) + `"`
		h.Set("ETag", tag)
		h.Set("Cache-Control", "no-store")
		if r.Header.Get("If-None-Match") == tag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		h.Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(wire.One[wire.DeviceConfig]{Data: c}) // the device has gone if this fails
	})
}
