package bench_test

import (
	"bufio"
	"crypto/tls"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// devicesVariable makes the test binary the devices' process, so that their memory is not the server's.
const devicesVariable = "LIGHTBAR_BENCH_DEVICES"

func TestMain(m *testing.M) {
	if os.Getenv(devicesVariable) != "" {
		obey(os.Stdin, os.Stdout)
		return
	}
	os.Exit(m.Run())
}

// devices are connected over MQTT, each with one goroutine. They come back when their connection ends.
type devices struct {
	address string
	tls     *tls.Config // nil without
	follow  atomic.Int64
	ends    atomic.Int64 // connections that ended
	failed  atomic.Int64 // tries that a server that was there refused
}

// obey is the devices' process: "connect ADDRESS FILE tls|plain" connects a device for each line "name key" of a
// file; "wait N MS" says how many follow their commands as soon as N do or when the time is over; "ended" how many connections ended.
func obey(orders io.Reader, answers io.Writer) {
	d := &devices{}
	for in := bufio.NewScanner(orders); in.Scan(); {
		switch f := strings.Fields(in.Text()); f[0] {
		case "connect":
			if d.address = f[1]; f[3] == "tls" {
				d.tls = &tls.Config{InsecureSkipVerify: true, MinVersion: tls.VersionTLS12} // of the benchmark's own certificate
			}
			list, err := os.ReadFile(f[2])
			if err != nil {
				fmt.Fprintln(answers, "error", err)
				return
			}
			for i, line := range strings.Split(strings.TrimSpace(string(list)), "\n") {
				name, key, _ := strings.Cut(line, " ")
				go d.live(i, name, key) // to the end of the process, which is that of its orders
			}
			fmt.Fprintln(answers, "ok")
		case "wait":
			n, _ := strconv.ParseInt(f[1], 10, 64)
			within, _ := strconv.Atoi(f[2])
			for end := time.Now().Add(time.Duration(within) * time.Millisecond); d.follow.Load() < n && time.Now().Before(end); {
				time.Sleep(2 * time.Millisecond)
			}
			fmt.Fprintln(answers, d.follow.Load())
		case "ended":
			fmt.Fprintln(answers, d.ends.Load(), d.failed.Load())
		}
	}
}

// comesBackWithin spreads devices that come back: each tries again after a random part of it.
const comesBackWithin = time.Second

// live connects a device again and again.
func (d *devices) live(i int, name, key string) {
	for {
		if conn, r, err := d.hello(i, name, key); err == nil {
			d.follow.Add(1)
			_, _ = io.Copy(io.Discard, r)
			_ = conn.Close()
			d.follow.Add(-1)
			d.ends.Add(1)
		}
		time.Sleep(rand.N(comesBackWithin))
	}
}

// hello connects a device from one of 50 addresses of this machine: one alone has too few ports.
func (d *devices) hello(i int, name, key string) (net.Conn, *bufio.Reader, error) {
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, byte(2+i%50))}, Timeout: 30 * time.Second}
	conn, err := dialer.Dial("tcp", d.address)
	if err != nil {
		return nil, nil, err
	}
	_ = conn.SetDeadline(time.Now().Add(30 * time.Second))
	if d.tls != nil {
		conn = tls.Client(conn, d.tls)
	}
	w := &mqttWire{conn: conn, r: bufio.NewReaderSize(conn, 16), name: name}
	err = w.say(0x10, 0x20, mqttText("MQTT"), []byte{4, 0xc2, 0, 0}, mqttText("x"), mqttText(name), mqttText(key))
	if err == nil {
		err = w.say(0x82, 0x90, []byte{0, 1}, mqttText("lightbar/v1/"+name+"/command"), []byte{1})
	}
	if err != nil {
		d.failed.Add(1)
		_ = conn.Close()
		return nil, nil, err
	}
	return conn, w.r, conn.SetDeadline(time.Time{})
}
