package bench_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/alexedwards/argon2id"
	"github.com/gorilla/websocket"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/alerts"
	"lightbar/internal/api"
	"lightbar/internal/app"
	"lightbar/internal/cable"
	"lightbar/internal/device"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// besideRate is the load beside which answers are measured, in points/s; its assets and clients.
const besideRate, besideThings, besideClients = 5000, 500, 16

// room is a whole server: HTTP with stream and alerts, and the port of MQTT.
type room struct {
	*target
	http *httptest.Server
	mqtt string
}

func newRoom(b *testing.B) *room {
	b.Helper()
	s := open(b, "sqlite", 0)
	r := &room{target: serve(b, s, besideThings, nil, false)}
	b.Cleanup(func() { _ = s.Close() })
	b.Cleanup(r.stop)
	yes := true
	if _, err := r.app.UpdateOrganization(b.Context(), access.System(), r.organization, wire.OrganizationWrite{AlertsPublic: &yes}); err != nil {
		b.Fatal(err)
	}
	stream := cable.New(r.app, r.bus, cable.Options{Log: quiet(), Network: api.NetworkOf, Failed: api.Failed})
	hub := alerts.New(r.app, r.bus, alerts.Options{Log: quiet()})
	r.http = httptest.NewServer(api.New(r.app, api.Options{Cable: stream, Alerts: hub,
		Ingest: device.New(r.app, device.Options{Network: api.NetworkOf, Failed: api.Failed})}))
	b.Cleanup(r.http.Close)
	b.Cleanup(func() {
		if err := stream.Drain(context.Background()); err != nil {
			b.Error(err)
		}
	})
	_, r.mqtt = serveMQTT(b, r.app, device.Options{Alerts: hub})
	b.Cleanup(func() {
		if err := hub.Drain(context.Background()); err != nil {
			b.Error(err)
		}
	})
	r.url = r.http.URL
	return r
}

// beside measures while 5 000 points/s come in over HTTP; or quiet.
func (r *room) beside(b *testing.B, load bool, measure func()) {
	if !load {
		measure()
		return
	}
	over := make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() {
		loadWhile(b, r.target, besideThings, besideClients, besideRate, func(time.Time) bool {
			select {
			case <-over:
				return false
			default:
				return true
			}
		})
	})
	time.Sleep(2 * time.Second) // the load is under way
	measure()
	close(over)
	all.Wait()
}

// lights registers assets with devices that take commands, public to drivers.
func (r *room) lights(b *testing.B, n int) (ids []string) {
	b.Helper()
	rows, yes := make([]app.NewThing, n), true
	for i := range rows {
		rows[i] = app.NewThing{OrganizationID: r.organization, SystemName: lightName(i), Type: "fire", DeviceType: "ha7"}
	}
	made, err := r.app.RegisterThings(b.Context(), access.System(), rows)
	if err != nil {
		b.Fatal(err)
	}
	for i := range made {
		ids = append(ids, made[i].ID)
		if _, err := r.app.UpdateThing(b.Context(), access.System(), made[i].ID, wire.ThingWrite{InService: &yes, IsPubliclyAlerting: &yes}); err != nil {
			b.Fatal(err)
		}
	}
	return ids
}

func lightName(i int) string { return fmt.Sprintf("L-%d", i) }

// point is a report of an asset at a place that is its own.
func point(asset string, lng float64, lights bool) string {
	return fmt.Sprintf(`{"type":"point","asset":%q,"at":"%s","lat":39.5,"lng":%.5f,"speed":0,"accuracy":4,"alerting":%t}`, asset,
		time.Now().UTC().Format("2006-01-02T15:04:05.000Z"), lng, lights)
}

// light connects the device of an asset over MQTT.
func (r *room) light(b *testing.B, i int, id string) *mqttWire {
	b.Helper()
	_, key, err := r.app.CreateKey(b.Context(), access.System(), wire.KeyCreate{OrganizationID: wire.ID(r.organization), Description: "light", ThingID: wire.ID(id)})
	if err != nil {
		b.Fatal(err)
	}
	w := dialWire(b, r.mqtt, lightName(i), key)
	b.Cleanup(func() { _ = w.conn.Close() })
	return w
}

// publish sends a message at QoS 1; whoever reads finds its acknowledgment.
func (w *mqttWire) publish(topic string, id uint16, body []byte) error {
	text := mqttText("lightbar/v1/" + w.name + topic)
	n := len(text) + 2 + len(body)
	_, err := w.conn.Write(slices.Concat([]byte{0x32}, binary.AppendUvarint(nil, uint64(n)), text, binary.BigEndian.AppendUint16(nil, id), body))
	return err
}

// next reads a packet.
func (w *mqttWire) next() (first byte, body []byte, err error) {
	if first, err = w.r.ReadByte(); err != nil {
		return 0, nil, err
	}
	n, err := binary.ReadUvarint(w.r)
	if err != nil {
		return 0, nil, err
	}
	body = make([]byte, n)
	_, err = io.ReadFull(w.r, body)
	return first, body, err
}

// press signs a user in who may press, and answers what presses, and what the user's stream tells.
func (r *room) presser(b *testing.B) (press func(id string) (commandID string), told <-chan []byte) {
	b.Helper()
	const password, email = "Blue*Heron7 at dawn", "presser@bench.example"
	hash, err := argon2id.CreateHash(password, &argon2id.Params{Memory: 19 * 1024, Iterations: 2, Parallelism: 1, SaltLength: 16, KeyLength: 32})
	if err != nil {
		b.Fatal(err)
	}
	role, _ := catalog.RoleByName("administrator")
	now := fleet.InstantOf(time.Now())
	u := fleet.User{ID: r.app.NewID(), OrganizationID: r.organization, Email: email, EmailKey: email, FirstName: "Bench", LastName: "Presser",
		RoleID: role.ID, PasswordHash: hash, PasswordChangedAt: now, CountryCode: "US", Awareness: true, Version: 1, UpdatedAt: now}
	if err := r.app.Store.Write(b.Context(), func(tx *store.Tx) error { return tx.InsertUser(b.Context(), u) }); err != nil {
		b.Fatal(err)
	}
	var token struct {
		AccessToken string `json:"access_token"`
	}
	r.call(b, http.MethodPost, "/api/user_token", "", map[string]string{"grant_type": "password", "application": "dashboard", "username": email,
		"password": password}, &token)
	d := websocket.Dialer{Subprotocols: []string{"datapumper", token.AccessToken}}
	conn, _, err := d.Dial("ws"+r.url[len("http"):]+"/cable", http.Header{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = conn.Close() })
	identifier, _ := json.Marshal(`{"channel":"EventsChannel","organization_id":"` + r.organization + `"}`)
	if err := conn.WriteMessage(websocket.TextMessage, fmt.Appendf(nil, `{"command":"subscribe","identifier":%s,"batch":true}`, identifier)); err != nil {
		b.Fatal(err)
	}
	lines, subscribed := make(chan []byte, 1000), make(chan struct{})
	go func() {
		for {
			_, line, err := conn.ReadMessage()
			if err != nil {
				return
			}
			switch {
			case bytes.Contains(line, []byte("confirm_subscription")):
				close(subscribed)
			case bytes.Contains(line, []byte(`"delivered"`)) || bytes.Contains(line, []byte(`\"delivered\"`)):
				lines <- line
			}
		}
	}()
	<-subscribed
	return func(id string) string {
		var made struct {
			Command struct {
				ID string `json:"id"`
			} `json:"command"`
			Data struct {
				Command struct {
					ID string `json:"id"`
				} `json:"command"`
			} `json:"data"`
		}
		r.call(b, http.MethodPut, "/api/things/"+id+"/r2r", token.AccessToken, nil, &made)
		return made.Command.ID + made.Data.Command.ID
	}, lines
}

// call is one request; it must be answered well.
func (r *room) call(b *testing.B, method, path, token string, in, out any) {
	b.Helper()
	body, _ := json.Marshal(in)
	req, err := http.NewRequest(method, r.url+path, bytes.NewReader(body))
	if err != nil {
		b.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	if method == http.MethodPut {
		req.Header.Set("Idempotency-Key", r.app.NewID())
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	answer, _ := io.ReadAll(res.Body)
	if res.StatusCode >= 300 {
		b.Fatalf("%s %s: %d %s", method, path, res.StatusCode, answer)
	}
	if out != nil {
		if err := json.Unmarshal(answer, out); err != nil {
			b.Fatalf("%s: %v", answer, err)
		}
	}
}

// reportTimes reports p50 and p95 of waits.
func reportTimes(b *testing.B, name string, waits []time.Duration) {
	b.Helper()
	slices.Sort(waits)
	ms := func(part int) float64 { return float64(waits[(len(waits)-1)*part/100].Microseconds()) / 1000 }
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(ms(50), name+"p50-ms")
	b.ReportMetric(ms(95), name+"p95-ms")
	b.ReportMetric(ms(100), name+"max-ms")
}
