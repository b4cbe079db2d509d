package authz_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"lightbar/internal/api"
	"lightbar/internal/app"
	"lightbar/internal/bus"
	"lightbar/internal/cable"
	"lightbar/internal/testkit"
)

// stream stands among the operations for a subscription on /cable, which the document does not have.
const stream = "stream"

// untouched are the operations that show and change nothing of another
// organization, each with its reason. All others must leave a row in the audit
// of the organization whose ids a super user gives them.
var untouched = map[string]string{
	"createUserToken": nobody, "verifyToken": nobody, "revokeToken": nobody, "getVersion": nobody, "getBrand": nobody, "getSignInMethods": nobody,
	"forgotPassword": nobody, "resetPassword": nobody, "unlockAccount": nobody, "acceptInvitation": nobody, "lookUpSignInLink": nobody, "discardSignInLink": nobody,
	"lookUpClosureQuestion": nobody, "answerClosureQuestion": nobody, "getMails": ownAlone, "chooseMails": ownAlone, "chooseWatchdogMail": ownAlone, "chooseStatusMail": ownAlone,
	"ingest": deviceKey, "ingest-assets": deviceKey, "ingest-device-config": deviceKey, "ingest-commands": deviceKey, "ingest-command-word": deviceKey, "ingest-samsara": deviceKey, "ingest-osmand": deviceKey, "ingest-osmand-post": deviceKey,
	"listSessions": ownAlone, "endOtherSessions": ownAlone, "endSession": ownAlone, "getSecondFactor": ownAlone, "stepUp": ownAlone, "beginStepUpProvider": ownAlone,
	"beginStepUpPasskey": ownAlone, "beginPasskey": ownAlone, "addPasskey": ownAlone, "removePasskey": ownAlone, "beginTOTP": ownAlone, "confirmTOTP": ownAlone,
	"removeTOTP": ownAlone, "newRecoveryCodes": ownAlone, "createSignInLink": ownAlone, "getSavedAreas": ownAlone, "listCovers": ownAlone, "changePassword": ownAlone, "updateOwnOrganization": ownAlone,
	"getMapConfig": installation, "searchPlaces": installation, "getWords": installation, "findDirections": installation, "checkFeed": installation, "listRoles": installation, "listThingTypes": installation, "listThingSubtypes": installation, "listAreaTypes": installation,
	"getStorage":      "sizes of all organizations together; none stands in it",
	"getServerStatus": "the server's own; no organization stands in it", "sendTestMail": ownAlone,
	"listRefusals": "counts refusals of networks; no organization stands in it",
}

const (
	nobody       = "nobody is signed in"
	ownAlone     = "the caller's own alone"
	installation = "the same for everybody"
)

// superWalk is a walk with a stream, as a super user.
func superWalk(t *testing.T) *walk {
	b, err := bus.Open(bus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var hub *cable.Hub
	w := newWalk(t, testkit.WithBus(b), testkit.WithBuild(func(a *app.App, o *api.Options) {
		hub = cable.New(a, b, cable.Options{Network: api.NetworkOf})
		o.Cable = hub
	}))
	t.Cleanup(func() {
		if err := hub.Drain(t.Context()); err != nil && t.Context().Err() == nil {
			t.Error(err)
		}
		_ = b.Close(t.Context())
	})
	return w
}

// rowsOf counts what the super user left in an organization's audit, signing in apart.
func (w *walk) rowsOf(organizationID string) (n int) {
	w.t.Helper()
	w.must(w.App.Store.Reader().QueryRowContext(w.t.Context(), `SELECT COUNT(*) FROM audit WHERE actor_user_id = $1 AND organization_id = $2`,
		w.Users["super"].ID, organizationID).Scan(&n))
	return n
}

// Each access that haas:manage alone opens leaves a row with the organization
// whose access it was: every operation is called with its ids in every
// position, also where the answer is a refusal, and the stream is subscribed to.
// spec: 6.model.05
func TestEverySuperAccessLeavesARow(t *testing.T) {
	w := superWalk(t)
	all := append(operations(t, w.World), operation{id: stream})
	seen := map[string]bool{}
	for _, o := range all {
		seen[o.id] = true
		r, known := rules[o.id]
		_, free := untouched[o.id]
		switch {
		case o.id == stream:
			before := w.rowsOf(w.Foreign.ID)
			w.subscribe(w.Foreign.ID)
			if w.rowsOf(w.Foreign.ID) == before {
				t.Error("a subscription to another organization's stream leaves no row")
			}
		case !known:
			t.Errorf("%s has no row in the table of rules", o.id)
		case r.needs == anyone || r.needs == deviceKey:
			if !free {
				t.Errorf("%s needs no session: say in untouched why it touches no organization", o.id)
			}
		default:
			for r := &r; r != nil; r = r.also {
				w.superCall(o, *r, free)
			}
		}
	}
	for id := range untouched {
		if !seen[id] {
			t.Errorf("untouched names %s, which the document does not have", id)
		}
	}
}

// superCall calls an operation in a session of its own, so that no earlier look speaks for it.
func (w *walk) superCall(o operation, r rule, free bool) {
	w.t.Helper()
	w.Clock.Advance(time.Minute) // sign-ins are limited
	delete(w.tokens, "super")
	at := func(position string) *fixture {
		if position == "spare" {
			return w.lasting["spare"]
		}
		if r.quiet {
			return w.lasting["foreign"]
		}
		return w.fixture("foreign")
	}
	fixed := map[string]*fixture{}
	for _, p := range append(r.at, "spare") {
		fixed[p] = at(p)
	}
	w.token("super")
	before := w.rowsOf(w.Foreign.ID)
	answer := w.call(o, r, "super", func(p string) *fixture { return fixed[p] })
	switch left := w.rowsOf(w.Foreign.ID) - before; {
	case free && left > 0:
		w.t.Errorf("%s stands in untouched and leaves a row: %d %s", o.id, answer.Status, cut(answer.Text))
	case !free && left == 0:
		w.t.Errorf("%s leaves no row in the organization that was reached: %d %s", o.id, answer.Status, cut(answer.Text))
	}
}

// subscribe opens a stream as the super user and waits until the server confirms the organization.
func (w *walk) subscribe(organizationID string) {
	w.t.Helper()
	delete(w.tokens, "super")
	dialer := websocket.Dialer{Subprotocols: []string{"datapumper", w.token("super")}, HandshakeTimeout: time.Minute}
	conn, answer, err := dialer.DialContext(w.t.Context(), strings.Replace(w.Server.URL, "http", "ws", 1)+"/cable", http.Header{"Origin": {w.Server.URL}})
	if err != nil {
		w.t.Fatalf("the stream does not open: %v %v", err, answer)
	}
	defer func() { _ = answer.Body.Close(); _ = conn.Close() }()
	w.must(conn.WriteJSON(object{"command": "subscribe", "identifier": `{"channel":"EventsChannel","organization_id":"` + organizationID + `"}`}))
	w.must(conn.SetReadDeadline(time.Now().Add(time.Minute)))
	for {
		var frame struct{ Type string }
		w.must(conn.ReadJSON(&frame))
		switch frame.Type {
		case "confirm_subscription":
			return
		case "reject_subscription":
			w.t.Fatal("the subscription was rejected")
		}
	}
}
