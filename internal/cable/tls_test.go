package cable

import (
	"crypto/tls"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"lightbar/internal/app"
)

// wrapped is a middleware's writer that only says what it wraps.
type wrapped struct{ w http.ResponseWriter }

func (w wrapped) Header() http.Header         { return w.w.Header() }
func (w wrapped) Write(b []byte) (int, error) { return w.w.Write(b) }
func (w wrapped) WriteHeader(status int)      { w.w.WriteHeader(status) }
func (w wrapped) Unwrap() http.ResponseWriter { return w.w }

// Over real connections, with and without TLS and behind middleware: the same
// play, and the end of the session closes the socket.
func TestOverRealConnections(t *testing.T) {
	for name, start := range map[string]func(http.Handler) *httptest.Server{"tcp": httptest.NewServer, "tls": httptest.NewTLSServer} {
		t.Run(name, func(t *testing.T) {
			dir := newDirectory()
			dir.set("token", actor("u", "s", "thing:read"))
			h := New((*app.App)(nil), nil, Options{Authenticate: dir.authenticate, Recheck: dir.recheck})
			server := start(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { h.ServeHTTP(wrapped{w}, r) }))
			defer server.Close()
			defer func() {
				if err := h.Drain(t.Context()); err != nil {
					t.Error(err)
				}
			}()
			d := websocket.Dialer{Subprotocols: []string{"datapumper", "token"}, EnableCompression: true,
				TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}
			conn, _, err := d.Dial("ws"+strings.TrimPrefix(server.URL, "http")+"/cable", nil)
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			expect := func(want string) {
				t.Helper()
				_, b, err := conn.ReadMessage()
				for err == nil && strings.Contains(string(b), `"type":"ping"`) { // on a busy machine one comes in between
					_, b, err = conn.ReadMessage()
				}
				if err != nil || !strings.Contains(string(b), want) {
					t.Fatalf("got %s, %v; want %s", b, err, want)
				}
			}
			expect("welcome")
			if err := conn.WriteMessage(websocket.TextMessage, []byte(subscribeTo(orgA, ""))); err != nil {
				t.Fatal(err)
			}
			expect("confirm_subscription")
			for i := range 50 {
				h.take(frame("e", uint64(3*i+1), "a", strings.Repeat("b", 2000), "c"))
				expect(`{"id":"a"}`)
				expect("bbb")
				expect(`{"id":"c"}`)
			}
			h.endSession("s")
			expect(`"reason":"unauthorized","reconnect":false`)
			if _, _, err := conn.ReadMessage(); !websocket.IsCloseError(err, websocket.ClosePolicyViolation) {
				t.Errorf("the end: %v", err)
			}
		})
	}
}
