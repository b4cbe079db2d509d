package contract_test

import (
	"encoding/json"
	"testing"
	"time"

	"lightbar/internal/api"
	"lightbar/internal/cable"
	"lightbar/internal/testkit"
	"lightbar/internal/testkit/contract"
)

// What a real server sends at /cable, hand-written frames and bodies included,
// is what its published description says, no field more and none less.
//
// spec: 7.stream.03
func TestEveryFrameIsAsPublished(t *testing.T) {
	s := newStage(t)
	document := contract.Read(t, []byte(s.Get("/api/asyncapi.json", "").Text))
	met := map[string]int{}
	each := func(frame []byte) {
		for _, wrong := range document.CheckShape("ServerFrame", frame) {
			t.Errorf("%s\nin %s", wrong, frame)
		}
		var f struct {
			Type     string
			Message  json.RawMessage
			Messages []struct{ Message struct{ Type, Action string } }
		}
		s.must(json.Unmarshal(frame, &f))
		switch {
		case f.Type == "" && f.Message != nil:
			var m struct{ Type, Action string }
			s.must(json.Unmarshal(f.Message, &m))
			met["single "+m.Type+m.Action]++
		case f.Messages != nil:
			for _, m := range f.Messages {
				met["batch "+m.Message.Type+m.Message.Action]++
			}
		default:
			met[f.Type]++
		}
	}
	token := s.SignIn("administrator").AccessToken
	single, batch := s.dial(token), s.dial(token)
	for b, c := range map[bool]*client{false: single, true: batch} {
		command := c.subscribe(s.Own.ID, b, nil)
		if wrong := document.CheckShape("Command", command); len(wrong) > 0 {
			t.Errorf("%s: %v", command, wrong)
		}
		c.until(each, "confirm_subscription")
	}
	both := func(texts ...string) {
		t.Helper()
		s.ticks <- time.Time{}
		single.until(each, texts...)
		batch.until(each, texts...)
	}

	thing := s.ok("POST", "/api/things", token, map[string]any{"haas_id": "U-<1>", "thing_type_id": "fire", "device_type": "ha7", "nickname": "Größe & \"Söhne\""})
	id := thing["id"].(string)
	both(`"admin"`, `"added"`, id)
	s.report(map[string]any{"type": "heartbeat", "asset": "U-<1>"})
	both(`"heartbeat"`, id)
	s.Clock.Advance(time.Second)
	s.report(map[string]any{"type": "point", "asset": "U-<1>", "lat": 39.7447, "lng": -75.5484, "course": 38, "speed": 15.25, "accuracy": 4, "alerting": true})
	both(`"point"`, id)
	s.Clock.Advance(time.Second)
	s.report(map[string]any{"type": "on_scene", "asset": "U-<1>"})
	both(`"location"`, id)
	s.ok("PUT", "/api/things/"+id, token, edited(map[string]any{"nickname": "Engine 4"}))
	both(`"thing"`, "Engine 4")
	s.ok("DELETE", "/api/things/"+id, token, nil)
	both(`"admin"`, `"removed"`, id)

	single.subscribe(s.Foreign.ID, false, nil)
	single.until(each, "reject_subscription")
	late := s.dial(token)
	late.subscribe(s.Own.ID, true, &cable.History{Epoch: s.bus.Epoch()})
	late.until(each, "confirm_history")
	late.subscribe(s.Own.ID, false, &cable.History{Epoch: "another"})
	late.until(each, "reject_history")
	late.until(each, `"ping"`)
	s.must(late.conn.WriteMessage(1, []byte("what?")))
	late.until(each, "invalid_request")
	s.ok("PUT", "/api/users/"+s.ok("GET", "/api/profile", token, nil)["user"].(map[string]any)["id"].(string), token,
		map[string]any{"firstname": "Ada"})
	single.until(each, "profile_changed")
	batch.until(each, "profile_changed")
	s.ok("DELETE", "/api/sessions", token, nil)
	s.Do(testkit.Request{Method: "POST", Path: "/api/revoke_token", Body: map[string]any{"token": token}})
	single.until(each, "unauthorized")

	for _, kind := range []string{"point", "heartbeat", "thing", "location", "adminadded", "adminremoved"} {
		if met["single "+kind] == 0 || met["batch "+kind] == 0 {
			t.Errorf("%s: %d single, %d in a batch", kind, met["single "+kind], met["batch "+kind])
		}
	}
	for _, kind := range []string{"welcome", "ping", "confirm_subscription", "reject_subscription", "confirm_history", "reject_history", "profile_changed", "disconnect"} {
		if met[kind] == 0 {
			t.Errorf("no frame %s", kind)
		}
	}
}

// Both documents say the same of a shape, and the stream's holds all that it refers to.
func TestTheStreamsDocumentIsWhole(t *testing.T) {
	http, stream := contract.Read(t, api.Document()), contract.Read(t, api.StreamDocument())
	if v := contract.At(stream.Tree, "asyncapi"); v != "3.0.0" {
		t.Errorf("version %v", v)
	}
	for name, shape := range stream.Shapes {
		if text(t, shape) != text(t, http.Shapes[name]) {
			t.Errorf("%s: the documents differ", name)
		}
	}
	messages, _ := contract.At(stream.Tree, "components", "messages").(map[string]any)
	for name := range messages {
		payload := contract.At(messages, name, "payload")
		if wrong := stream.Check(payload, []byte(`7`)); len(wrong) != 1 || wrong[0] != "is number, not object" {
			t.Errorf("%s: %v", name, wrong)
		}
		if contract.At(stream.Tree, "channels", "cable", "messages", name) == nil {
			t.Errorf("%s is not of the channel", name)
		}
	}
	if len(messages) != 11 {
		t.Errorf("%d messages", len(messages))
	}
}

func text(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
