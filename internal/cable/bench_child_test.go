package cable

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"
)

// benchChildVariable makes the test binary the clients' process of the
// benchmark, so that their memory and processor time are not the server's.
const benchChildVariable = "LIGHTBAR_STREAM_BENCH_CHILD"

// benchClients counts what arrives at all connections of the child.
type benchClients struct {
	url      string
	each     int64 // report after so many frames
	frames   atomic.Int64
	out      *bufio.Writer
	outMu    sync.Mutex
	mu       sync.Mutex
	waited   []time.Duration
	sampling atomic.Bool
	opened   int
	deaf     []net.Conn // held open, never read
}

// benchChild obeys the parent: "ws N" (compressed), "plain N", "raw N ADDRESS", "deaf", "each N",
// "sample", "latency". It says "ok", "got" for each N frames, and figures.
func benchChild(url string) {
	c := &benchClients{url: url, out: bufio.NewWriter(os.Stdout)}
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		f := strings.Fields(in.Text())
		switch f[0] {
		case "ws":
			n, _ := strconv.Atoi(f[1])
			c.open(n, func() (net.Conn, error) { return c.dialSocket(true) })
		case "plain":
			n, _ := strconv.Atoi(f[1])
			c.open(n, func() (net.Conn, error) { return c.dialSocket(false) })
		case "raw":
			n, _ := strconv.Atoi(f[1])
			c.open(n, func() (net.Conn, error) { return net.Dial("tcp", f[2]) })
		case "deaf":
			conn, err := c.dialSocket(false)
			if err != nil {
				c.say("error " + err.Error())
				continue
			}
			c.deaf = append(c.deaf, conn)
		case "each":
			n, _ := strconv.ParseInt(f[1], 10, 64)
			c.each = n
			c.frames.Store(0)
		case "sample":
			c.mu.Lock()
			c.waited = nil
			c.mu.Unlock()
			c.sampling.Store(true)
		case "latency":
			c.sampling.Store(false)
			c.say(c.latency())
			continue
		}
		c.say("ok")
	}
}

func (c *benchClients) say(line string) {
	c.outMu.Lock()
	defer c.outMu.Unlock()
	_, _ = c.out.WriteString(line + "\n")
	_ = c.out.Flush()
}

// open opens n connections, 32 at a time, and reads from each.
func (c *benchClients) open(n int, dial func() (net.Conn, error)) {
	var wg sync.WaitGroup
	slots := make(chan struct{}, 32)
	for range n {
		wg.Add(1)
		slots <- struct{}{}
		go func() {
			defer func() { <-slots; wg.Done() }()
			conn, err := dial()
			if err != nil {
				c.say("error " + err.Error())
				return
			}
			go c.drain(conn)
		}()
	}
	wg.Wait()
}

// dialSocket opens a WebSocket, subscribes and hands the bare connection on
// when the confirmation has come: both kinds are read by the same code.
func (c *benchClients) dialSocket(deflate bool) (net.Conn, error) {
	c.mu.Lock()
	c.opened++
	token := "bench-" + strconv.Itoa(c.opened)
	c.mu.Unlock()
	d := websocket.Dialer{Subprotocols: []string{"datapumper", token}, EnableCompression: deflate}
	conn, _, err := d.Dial(c.url, http.Header{})
	if err != nil {
		return nil, err
	}
	if err := conn.WriteMessage(websocket.TextMessage, []byte(subscribeTo(orgA, `,"batch":true`))); err != nil {
		return nil, err
	}
	for {
		_, b, err := conn.ReadMessage()
		if err != nil {
			return nil, err
		}
		if bytes.Contains(b, []byte("confirm_subscription")) {
			return conn.NetConn(), nil
		}
	}
}

// drain reads frames until the connection ends and counts those of data. Of
// uncompressed ones it takes the instant of sending from the first message.
func (c *benchClients) drain(conn net.Conn) {
	r := bufio.NewReaderSize(conn, 4096)
	var head [10]byte
	for {
		if _, err := io.ReadFull(r, head[:2]); err != nil {
			return
		}
		n := int(head[1])
		switch n {
		case 126:
			if _, err := io.ReadFull(r, head[2:4]); err != nil {
				return
			}
			n = int(binary.BigEndian.Uint16(head[2:]))
		case 127:
			if _, err := io.ReadFull(r, head[2:10]); err != nil {
				return
			}
			n = int(binary.BigEndian.Uint64(head[2:]))
		}
		if n < 100 { // a ping
			if _, err := r.Discard(n); err != nil {
				return
			}
			continue
		}
		if c.sampling.Load() {
			if b, err := r.Peek(min(n, 400)); err == nil {
				c.sample(b)
			}
		}
		if _, err := r.Discard(n); err != nil {
			return
		}
		if total := c.frames.Add(1); c.each > 0 && total%c.each == 0 {
			c.say("got")
		}
	}
}

var sentMark = []byte(`"sent":`)

func (c *benchClients) sample(b []byte) {
	_, rest, ok := bytes.Cut(b, sentMark)
	if !ok {
		return
	}
	digits, _, _ := bytes.Cut(rest, []byte("}"))
	sent, err := strconv.ParseInt(string(digits), 10, 64)
	if err != nil {
		return
	}
	waited := time.Duration(time.Now().UnixNano() - sent)
	c.mu.Lock()
	c.waited = append(c.waited, waited)
	c.mu.Unlock()
}

func (c *benchClients) latency() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.waited) == 0 {
		return "latency 0 0 0 0"
	}
	slices.Sort(c.waited)
	at := func(p int) int64 { return c.waited[(len(c.waited)-1)*p/100].Microseconds() }
	return fmt.Sprintf("latency %d %d %d %d", len(c.waited), at(50), at(99), at(100))
}
