package cable

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/bus"
	"lightbar/internal/fleet"
)

// benchRig is a hub on a real listener with its clients in another process.
type benchRig struct {
	b       *testing.B
	hub     *Hub
	server  *http.Server
	address string
	child   *exec.Cmd
	in      *bufio.Writer
	out     *bufio.Scanner
	next    uint64
}

func newBenchRig(b *testing.B) *benchRig {
	b.Helper()
	role, _ := catalog.RoleByName("operator")
	r := &benchRig{b: b, next: 1}
	r.hub = New(nil, nil, Options{
		Authenticate: func(_ context.Context, token, _ string) (*access.Actor, error) {
			return actor("user-"+token, "session-"+token, catalog.Granted(role)...), nil
		},
		Recheck: func(_ context.Context, a *access.Actor) (*access.Actor, error) { return a, nil },
	})
	l, err := net.Listen("tcp", "127.0.0.1:8142")
	if err != nil {
		b.Fatal(err)
	}
	r.address = l.Addr().String()
	r.server = &http.Server{Handler: r.hub, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = r.server.Serve(l) }()
	r.child = exec.Command(os.Args[0])
	r.child.Env = append(os.Environ(), benchChildVariable+"=ws://"+r.address+"/cable")
	r.child.Stderr = os.Stderr
	in, err := r.child.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := r.child.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := r.child.Start(); err != nil {
		b.Fatal(err)
	}
	r.in, r.out = bufio.NewWriter(in), bufio.NewScanner(out)
	b.Cleanup(func() {
		_ = in.Close()
		_ = r.child.Wait()
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		_ = r.hub.Drain(ctx)
		_ = r.server.Close()
	})
	return r
}

// tell gives the child an order and answers its last line.
func (r *benchRig) tell(order string) string {
	r.b.Helper()
	_, _ = r.in.WriteString(order + "\n")
	_ = r.in.Flush()
	return r.hear()
}

func (r *benchRig) hear() string {
	r.b.Helper()
	if !r.out.Scan() {
		r.b.Fatal("the clients' process has ended")
	}
	if line := r.out.Text(); !strings.HasPrefix(line, "error") {
		return line
	}
	r.b.Fatal(r.out.Text())
	return ""
}

// benchFrame is points of about the size the fleet sends: 8 make 1 kB.
func (r *benchRig) benchFrame(points int) bus.Frame {
	f := bus.Frame{Organization: orgA, Epoch: "bench", First: r.next, At: 1}
	for i := range points {
		f.Items = append(f.Items, bus.Item{Type: fleet.MessagePoint, Key: strconv.Itoa(i), Body: fmt.Appendf(nil,
			`{"type":"point","id":"01900000-0000-7000-8000-%012d","lat":39.7%05d,"lng":-75.5%05d,"speed":15.2,"sent":%d}`,
			i, (int(r.next)*7919+i)%99999, (int(r.next)*104729+i)%99999, time.Now().UnixNano())})
	}
	r.next = f.Next()
	return f
}

// writing counts the sockets whose writer runs.
func (h *Hub) writing() int {
	n := 0
	for phase := range phases {
		for _, s := range h.roster.of(phase) {
			s.mu.Lock()
			if s.writing {
				n++
			}
			s.mu.Unlock()
		}
	}
	return n
}

func processorTime() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// rss is the memory of this process that is in use, in bytes, after the garbage is gone.
func rss() int64 {
	runtime.GC()
	debug.FreeOSMemory()
	b, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	pages, _ := strconv.ParseInt(strings.Fields(string(b))[1], 10, 64)
	return pages * int64(os.Getpagesize())
}

const benchSockets = 1000

// cost is what n rounds of one frame to every connection took.
type cost struct{ wall, processor time.Duration }

func (c cost) perDelivery(rounds int) (wall, processor float64) {
	n := float64(rounds * benchSockets)
	return float64(c.wall.Nanoseconds()) / n / 1e3, float64(c.processor.Nanoseconds()) / n / 1e3
}

// rounds calls send n times with at most window rounds not yet received.
func (r *benchRig) rounds(n, window int, send func()) cost {
	r.tell("each " + strconv.Itoa(benchSockets))
	wall, processor := time.Now(), processorTime()
	for i := range n {
		send()
		if i >= window {
			r.hear()
		}
	}
	for range min(n, window) {
		r.hear()
	}
	return cost{time.Since(wall), processorTime() - processor}
}

// BenchmarkDeliveries compares frames to 1,000 sockets with bare writes of the
// same bytes to 1,000 connections of the same process, in turns. Goal: at most
// 1.3 times the cost, when every frame is a write of its own (1 under way).
// When frames come faster than they leave, a socket takes several in one write.
func BenchmarkDeliveries(b *testing.B) {
	r := newBenchRig(b)
	r.tell(fmt.Sprintf("ws %d", benchSockets))
	raw := r.rawConnections()
	same := (&audience{sees: app.Sees(actor("user", "session", "haas:manage"), orgA), batch: true, deflate: true, identifier: identifierOf(orgA)})
	f := r.benchFrame(8)
	r.hub.take(f)
	bytes := same.appendData(nil, streamID(orgA), f.Epoch, []span{{first: f.First, items: f.Items}})
	for _, window := range []int{1, 8} {
		b.Run(fmt.Sprintf("under-way-%d", window), func(b *testing.B) { r.compare(b, window, raw, bytes) })
	}
	if st := r.hub.Stats(); st.Sockets != benchSockets || len(st.Ends) != 0 {
		b.Fatalf("%d sockets are left, ended: %v", st.Sockets, st.Ends)
	}
}

// compare runs both ways in turns and prints their figures.
func (r *benchRig) compare(b *testing.B, window int, raw []net.Conn, bytes []byte) {
	const turns, rounds = 6, 200
	frames := func() { r.hub.take(r.benchFrame(8)) }
	writes := func() { writeAll(raw, bytes) }
	r.rounds(rounds, window, frames) // warm
	r.rounds(rounds, window, writes)
	var ours, bare cost
	n := 0
	for b.Loop() {
		for range turns {
			o, w := r.rounds(rounds, window, frames), r.rounds(rounds, window, writes)
			ours.wall, ours.processor = ours.wall+o.wall, ours.processor+o.processor
			bare.wall, bare.processor = bare.wall+w.wall, bare.processor+w.processor
			n += rounds
		}
	}
	ow, op := ours.perDelivery(n)
	bw, bp := bare.perDelivery(n)
	b.ReportMetric(1e6/ow, "deliveries/s")
	b.ReportMetric(1e6/bw, "bare-writes/s")
	b.ReportMetric(ow/bw, "wall-ratio")
	b.ReportMetric(op/bp, "cpu-ratio")
	fmt.Printf("| stream, %d sockets, %d B on the wire, %d frames under way | %.0f deliveries/s | bare writes %.0f/s | time × %.2f | CPU %.2f µs against %.2f µs (× %.2f) | goal ≤ 1.3 |\n",
		benchSockets, len(bytes), window, 1e6/ow, 1e6/bw, ow/bw, op, bp, op/bp)
}

// rawConnections opens the connections of the bare writes.
func (r *benchRig) rawConnections() []net.Conn {
	r.b.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:8143")
	if err != nil {
		r.b.Fatal(err)
	}
	defer l.Close()
	accepted := make(chan []net.Conn)
	go func() {
		var all []net.Conn
		for range benchSockets {
			c, err := l.Accept()
			if err != nil {
				break
			}
			_ = c.(*net.TCPConn).SetWriteBuffer(writeBuffer)
			all = append(all, c)
		}
		accepted <- all
	}()
	r.tell(fmt.Sprintf("raw %d %s", benchSockets, l.Addr()))
	all := <-accepted
	r.b.Cleanup(func() {
		for _, c := range all {
			_ = c.Close()
		}
	})
	return all
}

// writeAll writes b to all connections from as many goroutines as there are processors.
func writeAll(conns []net.Conn, b []byte) {
	n := runtime.GOMAXPROCS(0)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			for j := i; j < len(conns); j += n {
				_, _ = conns[j].Write(b)
			}
		})
	}
	wg.Wait()
}

// BenchmarkIdleSockets measures the resident memory of an idle, subscribed
// socket with a session of its own. Goal: at most 12 kB.
func BenchmarkIdleSockets(b *testing.B) {
	const n = 4000
	for b.Loop() {
		r := newBenchRig(b)
		r.tell("ws 50")
		before := rss()
		r.tell(fmt.Sprintf("ws %d", n))
		for phase := range phases { // every socket has been pinged at least once: idle as in life
			r.hub.ping(phase, true, time.Now())
		}
		for r.hub.writing() > 0 {
			runtime.Gosched()
		}
		each := float64(rss()-before) / n / 1024
		b.ReportMetric(each, "kB/socket")
		b.ReportMetric(float64(runtime.NumGoroutine())/(n+50), "goroutines/socket")
		fmt.Printf("| stream, memory of an idle socket with its session (%d open) | %.1f kB | goal ≤ 12 kB |\n", n, each)
		if st := r.hub.Stats(); st.Sockets != n+50 {
			b.Fatalf("%d sockets", st.Sockets)
		}
	}
}

// BenchmarkDeafClient measures how long a frame takes to 1,000 sockets, with
// and without a client beside them that never reads.
func BenchmarkDeafClient(b *testing.B) {
	for b.Loop() {
		r := newBenchRig(b)
		r.tell(fmt.Sprintf("plain %d", benchSockets))
		r.tell("each " + strconv.Itoa(benchSockets))
		r.paced(100) // warm
		calm := r.paced(300)
		r.tell("deaf")
		deaf := r.paced(300)
		again := r.paced(300)
		fmt.Printf("| stream, commit to %d sockets, 16 kB frames one by one | p50 %s, p99 %s ms | with a deaf client p50 %s, p99 %s ms | after it p50 %s, p99 %s ms | ended as slow: %d |\n",
			benchSockets, calm[0], calm[1], deaf[0], deaf[1], again[0], again[1], r.hub.Stats().Ends[ReasonSlow])
	}
}

// paced sends frames one after the other and answers p50 and p99 in milliseconds.
func (r *benchRig) paced(n int) [2]string {
	r.b.Helper()
	r.tell("sample")
	for range n {
		r.hub.take(r.benchFrame(128))
		r.hear()
	}
	f := strings.Fields(r.tell("latency"))
	ms := func(s string) string {
		us, _ := strconv.ParseFloat(s, 64)
		return fmt.Sprintf("%.2f", us/1000)
	}
	return [2]string{ms(f[2]), ms(f[3])}
}
