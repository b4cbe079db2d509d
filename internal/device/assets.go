package device

import (
	"encoding/json"
	"net/http"
	"strings"

	"lightbar/internal/access"
	"lightbar/internal/app"
)

// NewAssets serves POST /api/ingest/assets: a gateway, a simulation or a replay registers its assets, by an organization's API key.
// Existing assets stay as they are; with an error the answer contains what was created before it. thing_type is a name of the
// catalog; without one it is "other".
func NewAssets(a *app.App, o Options) http.Handler {
	return keyed(a, o, func(w http.ResponseWriter, r *http.Request, actor *access.Actor, body string) error {
		var in IngestAssets
		if err := countThings(body); err != nil {
			return err
		}
		if err := json.Unmarshal([]byte(body), &in); err != nil {
			return errJSON
		}
		things := make([]app.NewThing, len(in.Things))
		for i, t := range in.Things {
			if t.ThingType == "" {
				t.ThingType = "other"
			}
			things[i] = app.NewThing{SystemName: t.HaasID, ExternalID: t.ExternalID, Nickname: t.Nickname, Type: t.ThingType,
				DeviceType: t.DeviceType}
		}
		made, err := a.RegisterByKey(r.Context(), actor, things)
		if err != nil {
			return err
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-store")
		_ = json.NewEncoder(w).Encode(IngestAssetsAnswer{Data: made})
		return nil
	})
}

// countThings refuses more assets than a batch may have before memory is taken
// for them. Names of fields are compared as json.Unmarshal does.
func countThings(body string) error {
	c, n := scanner{s: body}, 0
	return c.object(func(name string) error {
		if !strings.EqualFold(name, "things") || c.peek() != '[' {
			return c.skip(0)
		}
		return c.array(func() error {
			if n++; n > app.ItemsPerBatch() {
				return app.TooManyItems("things")
			}
			return c.skip(0)
		})
	})
}
