package device_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/fleet"
)

// configured is a room whose first asset has been configured seven times, as docs/ingest.md and docs/mqtt.md have it.
func (r *mqttRoom) configured() string {
	r.t.Helper()
	id := r.thing("HA7-0").ID
	for i := range int64(7) {
		if _, err := r.SetDeviceConfig(r.t.Context(), access.System(), id, app.DeviceConfigEdit{DeviceConfig: fleet.DeviceConfig{Model: "HA7-N", Platform: "esp32",
			FileName: "ha7-2.4.bin", HeartbeatIntervalS: 54 + i, WarningLightPin: 4, IndicatorPin: 5, LocationType: "gps"}}); err != nil {
			r.t.Fatal(err)
		}
	}
	return id
}

// applied is the version that the asset's device said it has; -1 = it never said.
func (r *mqttRoom) applied(id string) int64 {
	if _, state, _, _ := r.Live.Thing(id); state.Config.AppliedAt != 0 {
		return state.Config.AppliedVersion
	}
	return -1
}

// call asks the server with the organization's key.
func (r *mqttRoom) call(method, path, body string) string {
	r.t.Helper()
	req := httptest.NewRequest(method, path, strings.NewReader(body))
	req.Header.Set("Authorization", "Bearer "+r.key)
	w := httptest.NewRecorder()
	r.h.ServeHTTP(w, req)
	if w.Code != http.StatusOK {
		r.t.Errorf("%s %s: %d", method, path, w.Code)
	}
	return w.Body.String()
}

// What docs/ingest.md shows of a configuration is what happens.
func TestIngestPageOfConfigurations(t *testing.T) {
	r := newMQTTRoom(t)
	id := r.configured()
	page := section(t, "../../docs/ingest.md", "### Taking a configuration")
	bodies := regexp.MustCompile(`(?m)^     (\{"(?:at|items)".*\})$`).FindAllStringSubmatch(page, -1)
	answers := regexp.MustCompile(`(?m)^200 (\{.*\})$`).FindAllStringSubmatch(page, -1)
	value := regexp.MustCompile(`(?s)"config": (\{.*?\})`).FindStringSubmatch(page)
	if len(bodies) != 2 || len(answers) != 2 || value == nil {
		t.Fatalf("the page has %d bodies and %d answers", len(bodies), len(answers))
	}
	w := r.call(http.MethodGet, "/api/ingest/commands?asset=HA7-0", "")
	var got struct {
		Data []struct {
			ID, Type, Value string
			Config          json.RawMessage
		}
	}
	if err := json.Unmarshal([]byte(w), &got); err != nil || len(got.Data) != 1 || got.Data[0].Type != "config" || got.Data[0].Value != "7" || !sameJSON(t, string(got.Data[0].Config), value[1]) {
		t.Fatalf("%s %v", w, err)
	}
	if a := r.call(http.MethodPost, "/api/ingest/commands/"+got.Data[0].ID, bodies[0][1]); !sameJSON(t, a, answers[0][1]) || r.applied(id) != 7 {
		t.Errorf("the word: %s, has %d", a, r.applied(id))
	}
	if a := r.call(http.MethodPost, "/api/ingest", strings.ReplaceAll(bodies[1][1], "HA7-00412", "HA7-0")); !sameJSON(t, a, answers[1][1]) || r.applied(id) != 7 {
		t.Errorf("the report: %s, has %d", a, r.applied(id))
	}
}

// What docs/mqtt.md shows of a configuration is what happens; and a device that stays connected is told again in time.
func TestMQTTPageOfConfigurations(t *testing.T) {
	r := newMQTTRoom(t)
	c := r.device("HA7-0")
	for _, topic := range []string{"command", "refused"} {
		if err := c.subscribe("lightbar/v1/HA7-0/" + topic); err != nil {
			t.Fatal(err)
		}
	}
	id := r.configured()
	said := regexp.MustCompile(`-m '(\{[^']*"config_version"[^']*\})'`).FindAllStringSubmatch(section(t, "../../docs/mqtt.md", "An administrator saves a configuration"), -1)
	if len(said) != 2 {
		t.Fatalf("the page has %d messages", len(said))
	}
	var got struct {
		ID, Type, Value string
		Config          struct{ Version int64 }
	}
	for got.Type = "none"; got.Config.Version != 7; {
		if err := json.Unmarshal(c.next("lightbar/v1/HA7-0/command"), &got); err != nil || got.Type != "config" {
			t.Fatalf("%+v %v", got, err)
		}
	}
	ack := regexp.MustCompile(`"id": "[^"]*"`).ReplaceAllString(said[0][1], `"id": "`+got.ID+`"`)
	for _, wrong := range []string{`"seven"`, "99", "7.5", "-1"} {
		if err := c.publish("lightbar/v1/HA7-0/ack", strings.Replace(ack, `: 7}`, `: `+wrong+`}`, 1)); err != nil {
			t.Fatal(err)
		}
		if no := string(c.next("lightbar/v1/HA7-0/refused")); !strings.Contains(no, "config_version") || r.applied(id) != -1 {
			t.Errorf("%s: %s", wrong, no)
		}
		body := strings.Replace(strings.Replace(said[1][1], `: 7}`, `: `+wrong+`}`, 1), "2026-11-27", "2026-11-21", 1)
		if err := c.publish("lightbar/v1/HA7-0/report", body); err != nil {
			t.Fatal(err)
		}
		if no := string(c.next("lightbar/v1/HA7-0/refused")); !strings.Contains(no, `"ignored":{"config_version":1}`) || !strings.Contains(no, `"refused":[]`) || r.applied(id) != -1 {
			t.Errorf("%s: %s", wrong, no)
		}
	}
	if err := c.publish("lightbar/v1/HA7-0/ack", strings.Replace(ack, "2026-11-27", "2026-11-21", 1)); err != nil {
		t.Fatal(err)
	}
	if r.applied(id) != 7 {
		t.Errorf("acknowledged: has %d", r.applied(id))
	}
}

// section is a page from a text on.
func section(t *testing.T, file, from string) string {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(b), from)
	if !found {
		t.Fatalf("%s has no %q", file, from)
	}
	rest, _, _ = strings.Cut(rest, "\n## ")
	return rest
}

func sameJSON(t *testing.T, a, b string) bool {
	t.Helper()
	var x, y any
	if err := json.Unmarshal([]byte(a), &x); err != nil {
		t.Fatalf("%s: %v", a, err)
	}
	if err := json.Unmarshal([]byte(b), &y); err != nil {
		t.Fatalf("%s: %v", b, err)
	}
	one, _ := json.Marshal(x)
	two, _ := json.Marshal(y)
	return string(one) == string(two)
}
