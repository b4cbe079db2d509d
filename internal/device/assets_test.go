package device_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/store/storetest"
	"lightbar/internal/wire"
)

func TestAssetsByKey(t *testing.T) {
	r := newRoom(t, storetest.SQLite(t))
	post := func(key, body string) *httptest.ResponseRecorder {
		req := httptest.NewRequest(http.MethodPost, "/api/ingest/assets", strings.NewReader(body))
		req.Header.Set("Authorization", "Bearer "+key)
		w := httptest.NewRecorder()
		r.h.ServeHTTP(w, req)
		return w
	}
	const body = `{"things":[{"haas_id":"b28","thing_type":"maintenance","nickname":"Plow 28"},{"haas_id":"HA7-0"},{"haas_id":"B28"},{"haas_id":"c1"}]}`
	if w := post(r.key, body); w.Code != 200 || !strings.Contains(w.Body.String(), `"created":2`) {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	if w := post(r.key, body); w.Code != 200 || !strings.Contains(w.Body.String(), `"created":0`) {
		t.Errorf("again: %d %s", w.Code, w.Body)
	}
	if n, err := r.CountThings(t.Context(), r.user, nil); err != nil || n != 5 {
		t.Errorf("%d assets (%v)", n, err)
	}
	things, _, _ := r.ListThings(t.Context(), r.user, app.ThingQuery{})
	if w := post(r.Key(r.org, things[0].ID), body); w.Code != 403 {
		t.Errorf("a key of one asset: %d", w.Code)
	}
	for body, want := range map[string]int{`{"things":[{"haas_id":"x","thing_type":"rocket"}]}`: 422, `[`: 400, `{"things":[{"haas_id":""}]}`: 422} {
		if w := post(r.key, body); w.Code != want {
			t.Errorf("%s: %d, want %d", body, w.Code, want)
		}
	}
}

// A refusal of a list says what is wrong with which of its assets, and one of a
// key which scope it lacks.
func TestRefusedRegistrationsSayWhy(t *testing.T) {
	t.Cleanup(func() { _ = catalog.SetLimits(nil) })
	r := newRoom(t, storetest.SQLite(t))
	_, vehicle, err := r.CreateKey(t.Context(), access.System(), wire.KeyCreate{OrganizationID: wire.ID(r.org), Description: "vehicle"})
	if err != nil {
		t.Fatal(err)
	}
	if err := catalog.SetLimits(map[string]float64{"assets.perOrganization": 4}); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		key, body string
		status    int
		want      string
	}{
		{vehicle, `{"things":[{"haas_id":"x"}]}`, 403, `{"error":"scope_register_missing","message":"This API key can't register assets: it doesn't have the register scope."}`},
		{r.key, `{"things":[{"haas_id":"HA7-0"},{"haas_id":"x"},{"haas_id":"y","thing_type":"rocket"}]}`, 422, `"fields":{"2.thing_type_id":`},
		{r.key, `{"things":[{"haas_id":"HA7-0"},{"haas_id":"x"},{"haas_id":"y"}]}`, 422,
			`{"error":"asset_limit","message":"This organization has 3 assets and can have 4. These are 2 more."}`},
		{r.key, `{"things":[{"haas_id":"HA7-0"},{"haas_id":"x"}]}`, 200, `{"data":{"created":1,"known":1}}`},
	} {
		req := httptest.NewRequest(http.MethodPost, "/api/ingest/assets", strings.NewReader(row.body))
		req.Header.Set("Authorization", "Bearer "+row.key)
		w := httptest.NewRecorder()
		r.h.ServeHTTP(w, req)
		if w.Code != row.status || !strings.Contains(w.Body.String(), row.want) {
			t.Errorf("%s: %d %s", row.body, w.Code, w.Body)
		}
	}
}
