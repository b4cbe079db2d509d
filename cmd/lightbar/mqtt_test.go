package main

import (
	"crypto/tls"
	"crypto/x509"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/eclipse/paho.golang/packets"
	"github.com/eclipse/paho.golang/paho"
)

// A server that listens for MQTT lets a device in over TLS, says so where operators look, and tells the device when it stops.
func TestServeOverMQTT(t *testing.T) {
	dir := t.TempDir()
	data := filepath.Join(dir, "data")
	cert, key := pair(t, dir, 1)
	s := start(t, data, "--mqtt-listen", "localhost:0", "--mqtt-cert", cert, "--mqtt-key", key)
	secret := deviceKey(t, data)
	pem, err := os.ReadFile(cert)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(pem)
	conn, err := tls.Dial("tcp", s.info.MQTT, &tls.Config{RootCAs: roots, ServerName: "localhost"})
	if err != nil {
		t.Fatal(err)
	}
	why := make(chan byte, 1)
	// The client writes a packet in parts, and its first ping beside its first message: without the lock they mix over TLS.
	c := paho.NewClient(paho.ClientConfig{Conn: packets.NewThreadSafeConn(conn), PacketTimeout: 20 * time.Second,
		OnServerDisconnect: func(d *paho.Disconnect) { why <- d.ReasonCode }})
	if _, err := c.Connect(t.Context(), &paho.Connect{ClientID: "tracker", KeepAlive: 30, CleanStart: true, UsernameFlag: true, Username: "HA7-1",
		PasswordFlag: true, Password: []byte(secret)}); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Publish(t.Context(), &paho.Publish{Topic: "lightbar/v1/HA7-1/report", QoS: 1,
		Payload: []byte(`{"type": "heartbeat", "at": "` + time.Now().UTC().Format(time.RFC3339) + `"}`)}); err != nil {
		t.Fatal(err)
	}
	if _, page := fetch(t, s.info.Admin+"/metrics"); !strings.Contains(page, "\nlightbar_mqtt_devices 1\n") || !strings.Contains(page, "\nlightbar_mqtt_messages_total 1\n") {
		t.Error("the metrics do not tell of the device and its message")
	}
	_, port, err := net.SplitHostPort(s.info.MQTT)
	if err != nil {
		t.Fatal(err)
	}
	_, out, _ := lb(t, "doctor", "--data", data, "--listen", "localhost:0", "--mqtt-listen", "127.0.0.1:"+port, "--mqtt-cert", cert, "--mqtt-key", key)
	if !strings.Contains(out, "is in use, and a server runs on this data folder") || !strings.Contains(out, "warning  mqtt-cert") {
		t.Error(out)
	}
	for words, args := range map[string][]string{
		"refuses the name or key": {"--ca", cert}, "certificate signed by unknown authority": nil, "holds no certificate": {"--ca", key},
	} {
		args = append([]string{"device", "--asset", "HA7-1", "--key", secret + "x", "--protocol", "mqtt", "--server", "mqtts://localhost:" + port}, args...)
		if code, _, text := lb(t, args...); code != exitPlace || !strings.Contains(text, words) {
			t.Errorf("%v: exit %d, %s", args, code, text)
		}
	}
	if code := s.end(t); code != 0 {
		t.Errorf("exit %d\n%s", code, s.err.String())
	}
	select {
	case code := <-why:
		if code != 0x8b {
			t.Errorf("the device is told %#x at the stop, want 0x8b (server shutting down)", code)
		}
	case <-time.After(20 * time.Second):
		t.Error("the device is told nothing at the stop")
	}
}

// deviceKey makes an organization with the asset HA7-1 and gives its own key.
func deviceKey(t *testing.T, data string) string {
	t.Helper()
	for _, line := range []string{"organization create Engines --timezone UTC", "asset create --system-name HA7-1 --type fire"} {
		if code, out, err := lb(t, append(strings.Fields(line), "--data", data)...); code != 0 {
			t.Fatalf("%s: %d %s%s", line, code, out, err)
		}
	}
	code, out, text := lb(t, "asset", "key", "--system-name", "HA7-1", "--data", data)
	at := strings.Index(out, "lb_key_")
	if code != 0 || at < 0 {
		t.Fatalf("%d %s%s", code, out, text)
	}
	return strings.Fields(out[at:])[0]
}
