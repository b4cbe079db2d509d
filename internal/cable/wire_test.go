package cable

import (
	"bufio"
	"bytes"
	"compress/flate"
	"encoding/binary"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"lightbar/internal/app"
	"lightbar/internal/bus"
	"lightbar/internal/fleet"
	"lightbar/internal/wire"
)

// noConn is a connection that is only asked for deadlines.
type noConn struct{ net.Conn }

func (noConn) SetWriteDeadline(time.Time) error { return nil }

func TestOrigins(t *testing.T) {
	allowed := []string{"https://lightbar.example", "https://other.example:8443/"}
	for _, c := range []struct {
		origin string
		want   bool
	}{
		{"https://lightbar.example", true}, {"https://LIGHTBAR.example:443", true}, {"https://other.example:8443", true},
		{"http://localhost:8080", true},
		{"http://lightbar.example", false}, {"https://lightbar.example.evil", false}, {"https://other.example", false},
		{"https://evil.example", false}, {"null", false}, {"", false}, {"file://", false}, {"http://localhost", false},
		{"https://user@lightbar.example", false}, {"https://lightbar.example/path", false}, {"chrome-extension://localhost:8080", false},
	} {
		r := httptest.NewRequest(http.MethodGet, "http://localhost:8080/cable", nil)
		r.Header["Origin"] = []string{c.origin}
		if got := originAllowed(r, allowed); got != c.want {
			t.Errorf("%q: %v", c.origin, got)
		}
	}
	for header, want := range map[string]bool{"User-Agent": true, "Cookie": false, "Sec-Fetch-Mode": false, "Sec-Fetch-Site": false} {
		r := httptest.NewRequest(http.MethodGet, "/cable", nil)
		r.Header.Set(header, "x")
		if got := originAllowed(r, allowed); got != want {
			t.Errorf("no origin with %s: %v", header, got)
		}
	}
	r := httptest.NewRequest(http.MethodGet, "http://localhost:8080/cable", nil)
	r.Header["Origin"] = []string{"http://localhost:8080", "https://evil.example"}
	if originAllowed(r, allowed) {
		t.Error("two origins")
	}
}

func TestTokensOfTheSubprotocolList(t *testing.T) {
	for list, want := range map[string]string{
		"datapumper, lb_at_x": "lb_at_x", "lb_at_x, datapumper": "lb_at_x",
		"datapumper": "", "lb_at_x": "", "": "", "datapumper, a, b": "", "actioncable-v1-json": "",
		// stock clients: @rails/actioncable with both added, @anycable/core with its way of a token
		"actioncable-v1-json, actioncable-unsupported, datapumper, lb_at_x": "lb_at_x",
		"actioncable-v1-json, actioncable-unsupported, lb_at_x":             "lb_at_x",
		"actioncable-v1-ext-json, anycable-token.lb_at_x":                   "lb_at_x",
		"actioncable-v1-msgpack, lb_at_x":                                   "", "actioncable-unsupported, lb_at_x": "",
		"actioncable-v1-json, actioncable-unsupported": "", "datapumper, anycable-token.": "", "datapumper, graphql-ws, lb_at_x": "",
	} {
		r := httptest.NewRequest(http.MethodGet, "/cable", nil)
		r.Header.Set("Sec-Websocket-Protocol", list)
		if got, ok := tokenOf(r); got != want && ok || ok != (want != "") {
			t.Errorf("%q: %q %v", list, got, ok)
		}
	}
}

func TestWhatIsNoWebSocketIsToldSo(t *testing.T) {
	h := &Hub{}
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		w := httptest.NewRecorder()
		w.Header().Set("X-Request-Id", "r1") // as every answer has it before a handler is asked
		h.ServeHTTP(w, httptest.NewRequest(method, "/cable", nil))
		var said wire.Failure
		if err := json.Unmarshal(w.Body.Bytes(), &said); w.Code != http.StatusUpgradeRequired || err != nil || said.RequestID != "r1" {
			t.Errorf("%s: %d %s", method, w.Code, w.Body)
		}
	}
}

// What left its client as a handshake and comes without its Upgrade header has
// met a proxy: the log says so, once. A plain request to the address says nothing.
func TestAProxyThatTakesTheUpgradeAwayIsLogged(t *testing.T) {
	var log bytes.Buffer
	h := &Hub{opts: Options{Log: slog.New(slog.NewTextHandler(&log, nil))}}
	h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/cable", nil))
	if log.Len() > 0 {
		t.Fatalf("a plain request was logged: %s", &log)
	}
	for range 3 {
		r := httptest.NewRequest(http.MethodGet, "/cable", nil)
		r.Header.Set("Connection", "close")
		r.Header.Set("Sec-Websocket-Key", "AAAAAAAAAAAAAAAAAAAAAA==")
		w := httptest.NewRecorder()
		if h.ServeHTTP(w, r); w.Code != http.StatusUpgradeRequired {
			t.Errorf("%d %s", w.Code, w.Body)
		}
	}
	if said := log.String(); strings.Count(said, "\n") != 1 || !strings.Contains(said, "level=WARN") ||
		!strings.Contains(said, "Upgrade") || !strings.Contains(said, "proxy=192.0.2.1") {
		t.Errorf("the log says %q", said)
	}
}

func TestOffersOfCompression(t *testing.T) {
	for offer, want := range map[string]bool{
		"": false, "permessage-deflate": true, "x-other, permessage-deflate; client_max_window_bits": true,
		"permessage-deflate; server_max_window_bits=10": false, "permessage-deflate; server_max_window_bits=10, permessage-deflate": true,
		"permessage-bzip2": false,
	} {
		if got := offersDeflate(http.Header{"Sec-Websocket-Extensions": {offer}}); got != want {
			t.Errorf("%q: %v", offer, got)
		}
	}
}

// readFrame takes one server frame apart.
func readFrame(t *testing.T, b []byte) (first byte, payload, rest []byte) {
	t.Helper()
	n, head := int(b[1]), 2
	switch n {
	case 126:
		n, head = int(binary.BigEndian.Uint16(b[2:])), 4
	case 127:
		n, head = int(binary.BigEndian.Uint64(b[2:])), 10
	}
	first, payload, rest = b[0], b[head:head+n], b[head+n:]
	if first&frameCompressed != 0 {
		r := flate.NewReader(io.MultiReader(bytes.NewReader(payload), strings.NewReader("\x00\x00\xff\xff\x01\x00\x00\xff\xff")))
		out, err := io.ReadAll(bufio.NewReader(r))
		if err != nil {
			t.Fatal(err)
		}
		payload = out
	}
	return first, payload, rest
}

// Bodies travel untouched, whatever the length of the frame and with or without compression.
func TestFramesOfEveryLength(t *testing.T) {
	assets := app.Sees(actor("u", "s", "thing:read"), orgA)
	for _, n := range []int{0, 1, 60, 100, 125, 126, 127, 256, 257, 65000, 65535, 65536, 70000, 900_000} {
		for _, deflate := range []bool{false, true} {
			for _, batch := range []bool{false, true} {
				a := audience{sees: assets, batch: batch, deflate: deflate, identifier: `{"a":"<b>"}`}
				body := `{"x":"` + strings.Repeat("é<", n/3) + `"}`
				b := a.appendData(nil, "s", "e", []span{{first: 7, items: []bus.Item{{Type: fleet.MessagePoint, Body: []byte(body)}}}})
				first, payload, rest := readFrame(t, b)
				var f told
				if err := json.Unmarshal(payload, &f); err != nil || len(rest) != 0 {
					t.Fatalf("%d bytes: %v, %d left", n, err, len(rest))
				}
				message, offset := f.Message, f.Offset
				if batch {
					message, offset = f.Messages[0].Message, f.Messages[0].Offset
				}
				if string(message) != body || offset != 7 || f.Epoch != "e" {
					t.Errorf("%d bytes: message of %d at %d", n, len(message), offset)
				}
				if packed := first&frameCompressed != 0; packed != (deflate && len(payload) > compressAbove) {
					t.Errorf("%d bytes, deflate %v: compressed %v", len(payload), deflate, packed)
				}
			}
		}
	}
}

func FuzzCommand(f *testing.F) {
	f.Add([]byte(subscribeTo(orgA, `,"batch":true,"history":{"epoch":"e","offset":7}`)))
	f.Add([]byte(`{"command":"unsubscribe","identifier":"{}"}`))
	f.Add([]byte(`{"command":"subscribe","identifier":"{\"channel\":\"EventsChannel\",\"organization_id\":\"\"}"}`))
	f.Add([]byte(`{"command":"subscribe","history":{"offset":-1}}`))
	f.Add([]byte("[[[["))
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := parseCommand(b)
		if err != nil {
			return
		}
		if c.Command != "subscribe" && c.Command != "unsubscribe" || len(c.Identifier) > identifierBytes {
			t.Fatalf("%+v was let through", c)
		}
		if org, ok := parseIdentifier(c.Identifier); ok && org == "" {
			t.Fatal("an organization without an id")
		}
		_, answer, rest := readFrame(t, rejectSubscription(c.Identifier))
		if !json.Valid(answer) || len(rest) != 0 {
			t.Fatalf("the answer is no JSON: %s", answer)
		}
	})
}
