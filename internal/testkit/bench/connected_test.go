package bench_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"lightbar/internal/device"
	"lightbar/internal/live"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
)

var connected = flag.Int("devices", 10_000, "how many devices are connected over MQTT; over TLS a fifth of them")

// fleetProcess are devices in a process of their own.
type fleetProcess struct {
	b   *testing.B
	in  io.Writer
	out *bufio.Scanner
}

func newFleetProcess(b *testing.B) *fleetProcess {
	b.Helper()
	child := exec.Command(os.Args[0])
	child.Env, child.Stderr = append(os.Environ(), devicesVariable+"=1"), os.Stderr
	in, err := child.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := child.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := child.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = in.Close()
		_ = child.Wait()
	})
	return &fleetProcess{b: b, in: in, out: bufio.NewScanner(out)}
}

// tell gives an order and answers what the process says to it.
func (p *fleetProcess) tell(format string, args ...any) string {
	p.b.Helper()
	if _, err := fmt.Fprintf(p.in, format+"\n", args...); err != nil {
		p.b.Fatal(err)
	}
	if !p.out.Scan() || strings.HasPrefix(p.out.Text(), "error") {
		p.b.Fatalf("the devices' process ended: %s", p.out.Text())
	}
	return p.out.Text()
}

// all waits until all devices follow their commands.
func (p *fleetProcess) all(n int) {
	p.b.Helper()
	if got := p.tell("wait %d 90000", n); got != fmt.Sprint(n) {
		p.b.Fatalf("%s devices of %d are there; connections that ended, and that failed: %s", got, n, p.tell("ended"))
	}
}

// serveAt is serveMQTT at an address, until stop is called.
func serveAt(b *testing.B, k *apptest.Kit, address string, tlsConfig *tls.Config) (s *device.MQTTServer, at string, stop func()) {
	b.Helper()
	port, err := net.Listen("tcp", address)
	if err != nil {
		b.Fatal(err)
	}
	if s, err = device.NewMQTT(k.App, device.Options{}, port, tlsConfig); err != nil {
		b.Fatal(err)
	}
	l := s.Listener()
	go func() {
		if err := l.Serve(); err != nil {
			b.Error(err)
		}
	}()
	return s, port.Addr().String(), func() {
		if err := l.Stop(context.Background()); err != nil {
			b.Error(err)
		}
	}
}

// BenchmarkMQTTFleet connects 10 000 devices (-devices) from another process. Each follows its commands. B/device is what they take of
// the server's heap and stacks; back-s is the time in which all are there again after a restart that knows nothing of their
// keys, from the instant at which the port is open.
func BenchmarkMQTTFleet(b *testing.B) {
	for _, kind := range []string{"plain", "tls"} {
		b.Run(kind, func(b *testing.B) {
			n := *connected
			var tlsConfig *tls.Config
			if kind == "tls" {
				n /= 5
				certified := httptest.NewTLSServer(nil)
				tlsConfig = &tls.Config{Certificates: certified.TLS.Certificates, MinVersion: tls.VersionTLS12}
				certified.Close()
			}
			s := storetest.SQLite(b)
			k := apptest.New(b, s)
			org := k.Organization("Bench")
			var keys strings.Builder
			for lot := range (n + 999) / 1000 {
				for i, x := range k.Things(org.ID, fmt.Sprintf("A-%d", lot), min(1000, n-lot*1000)) {
					key := k.Key(org.ID, x.ID)
					if _, err := k.AuthenticateKey(b.Context(), key, ""); err != nil { // which the server keeps in memory, over HTTP as well
						b.Fatal(err)
					}
					fmt.Fprintf(&keys, "A-%d-%d %s\n", lot, i, key)
				}
			}
			file := filepath.Join(b.TempDir(), "keys")
			if err := os.WriteFile(file, []byte(keys.String()), 0o600); err != nil {
				b.Fatal(err)
			}
			server, address, stop := serveAt(b, k, "127.0.0.1:0", tlsConfig)
			fleet := newFleetProcess(b)
			var grown, stacks int64
			var stopped, back time.Duration
			for b.Loop() {
				before, less := inUse(), stacksInUse()
				fleet.tell("connect %s %s %s", address, file, kind)
				fleet.all(n)
				grown = inUse() - before
				stacks = stacksInUse() - less
				if got := server.Stats(); got.Connected != int64(n) || got.Hellos != 0 {
					b.Fatalf("%+v", got)
				}
				began := time.Now()
				stop()
				stopped = time.Since(began)
				if err := k.StopIngest(b.Context()); err != nil {
					b.Fatal(err)
				}
				k.Open(s, live.Options{})
				server, _, stop = serveAt(b, k, address, tlsConfig)
				began = time.Now()
				fleet.all(n)
				back = time.Since(began)
			}
			stop()
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(grown)/float64(n), "B/device")
			b.ReportMetric(float64(stacks)/float64(n), "stack-B/device")
			b.ReportMetric(stopped.Seconds(), "stop-s")
			b.ReportMetric(back.Seconds(), "back-s")
			b.ReportMetric(float64(n), "devices")
		})
	}
}

func stacksInUse() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.StackInuse)
}
