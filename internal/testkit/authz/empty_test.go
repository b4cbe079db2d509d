package authz_test

import (
	"encoding/json"
	"maps"
	"testing"
	"time"

	"lightbar/internal/testkit"
)

// saidIDs are optional in a body, and empty they still say something.
var saidIDs = map[string]string{
	"updateThing thing_type_id":        "an asset has a type (requirement 5.asset.05): it can't be emptied",
	"updateOrganization billing_id":    "the accountant's, which only the installation's owner may send",
	"updateOwnOrganization billing_id": "the accountant's, which only the installation's owner may send",
}

// Ids are a UUID or empty, and empty is none: in every body a request whose optional id is empty or null goes as far as one without it.
// spec: 5.general.04
func TestAnEmptyIDIsNone(t *testing.T) {
	w := newWalk(t)
	_, optional := idFields(w)
	seen := 0
	for _, o := range operations(t, w.World) {
		for _, name := range optional[o.id] {
			if rules[o.id].needs == deviceKey || saidIDs[o.id+" "+name] != "" {
				continue // a device's words are its own
			}
			seen++
			t.Run(o.id+" "+name, func(t *testing.T) { w.in(t).emptyIsNone(o, name) })
		}
	}
	if seen < 40 {
		t.Errorf("only %d optional ids in bodies", seen)
	}
}

func (w *walk) emptyIsNone(o operation, name string) {
	w.Clock.Advance(time.Minute)
	send := func(change func(map[string]any)) testkit.Response {
		f := w.fixture("own") // each request has its own: the first may end what the second asks for
		in := w.naming(o, "body:"+name, "", ids[o.id]["body:"+name], f)
		body := maps.Clone(in.Body.(map[string]any))
		change(body)
		in.Body, in.Token = body, w.SignIn("administrator").AccessToken
		return w.Do(in)
	}
	without := send(func(body map[string]any) { delete(body, name) })
	for what, change := range map[string]func(map[string]any){
		"empty": func(map[string]any) {},
		"null":  func(body map[string]any) { body[name] = nil },
	} {
		got := send(change)
		if (without.Status < 300) != (got.Status < 300) || codeIn(without) != codeIn(got) || fieldsIn(without) != fieldsIn(got) {
			w.t.Errorf("without: %d %s\n%s: %d %s", without.Status, cut(without.Text), what, got.Status, cut(got.Text))
		}
	}
}

// fieldsIn is what a refusal says of fields.
func fieldsIn(r testkit.Response) string {
	var failure struct{ Fields json.RawMessage }
	_ = json.Unmarshal([]byte(r.Text), &failure)
	return string(failure.Fields)
}
