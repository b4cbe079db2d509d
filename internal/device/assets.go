package device

import (
	"encoding/json"
	"net/http"

	"lightbar/internal/app"
)

// assetsBody is what a gateway says of the assets it will report for.
type assetsBody struct {
	Things []struct {
		HaasID     string `json:"haas_id"`
		ExternalID string `json:"external_id"`
		Nickname   string `json:"nickname"`
		ThingType  string `json:"thing_type"`
		DeviceType string `json:"device_type"`
	} `json:"things"`
}

// NewAssets serves POST /api/ingest/assets: a gateway, a simulation or a replay
// makes its assets known, by an organization's API key. Assets known already
// stay as they are. thing_type is a name of the catalogue; without one it is "other".
func NewAssets(a *app.App, o Options) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			w.Header().Set("Allow", http.MethodPost)
			fail(w, "method_not_allowed", "")
			return
		}
		actor, err := a.AuthenticateKey(r.Context(), bearer(r), o.network(r))
		if err != nil {
			refuse(w, err)
			return
		}
		body, err := readBody(w, r)
		if err != nil {
			refuse(w, err)
			return
		}
		var in assetsBody
		if err := json.Unmarshal([]byte(body), &in); err != nil {
			refuse(w, errJSON)
			return
		}
		things := make([]app.NewThing, len(in.Things))
		for i, t := range in.Things {
			if t.ThingType == "" {
				t.ThingType = "other"
			}
			things[i] = app.NewThing{SystemName: t.HaasID, ExternalID: t.ExternalID, Nickname: t.Nickname, Type: t.ThingType, DeviceType: t.DeviceType}
		}
		made, err := a.RegisterByKey(r.Context(), actor, things)
		if err != nil {
			refuse(w, err)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-store")
		_ = json.NewEncoder(w).Encode(map[string]any{"data": map[string]int{"created": made, "known": len(things) - made}})
	})
}
