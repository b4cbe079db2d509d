package main

import (
	"encoding/json"
	"errors"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"lightbar/internal/config"
	"lightbar/internal/durable"
)

// listeners are the open ports of a server. They are taken before anything
// else, so that a busy port is found while nothing has been touched.
type listeners struct {
	main  []net.Listener
	admin net.Listener // nil when off
	mqtt  net.Listener // nil when off
}

func listen(s *config.Server) (*listeners, error) {
	host, _, _ := net.SplitHostPort(s.Listen)
	first, err := net.Listen("tcp", s.Listen)
	if err != nil {
		return nil, place("%s", portWords("--listen", s.Listen, err))
	}
	l := &listeners{main: []net.Listener{first}}
	port := first.Addr().(*net.TCPAddr).Port
	if host == "localhost" {
		// The name has two addresses; browsers try both. One of them is enough.
		for _, ip := range []string{"127.0.0.1", "::1"} {
			if ip == first.Addr().(*net.TCPAddr).IP.String() {
				continue
			}
			if other, err := net.Listen("tcp", net.JoinHostPort(ip, strconv.Itoa(port))); err == nil {
				l.main = append(l.main, other)
			}
		}
	}
	if u, err := url.Parse(s.PublicURL); err == nil && u.Port() == "0" {
		u.Host = net.JoinHostPort(u.Hostname(), strconv.Itoa(port))
		s.PublicURL = u.String()
	}
	if s.MQTTListen != "" {
		if l.mqtt, err = net.Listen("tcp", s.MQTTListen); err != nil {
			return nil, errors.Join(place("%s", portWords("--mqtt-listen", s.MQTTListen, err)), l.close())
		}
	}
	if s.AdminListen == "off" {
		return l, nil
	}
	if l.admin, err = net.Listen("tcp", s.AdminListen); err != nil {
		return nil, errors.Join(place("%s", portWords("--admin-listen", s.AdminListen, err)), l.close())
	}
	return l, nil
}

func (l *listeners) close() error {
	var err error
	for _, one := range append(l.main, l.mqtt, l.admin) {
		if one != nil {
			err = errors.Join(err, one.Close())
		}
	}
	return err
}

// runFile tells scripts and people where the server of a data folder is.
const runFile = "server.json"

type running struct {
	URL     string    `json:"url"`
	Listen  string    `json:"listen"`
	MQTT    string    `json:"mqtt,omitempty"`
	Admin   string    `json:"admin,omitempty"` // http://127.0.0.1:… with /metrics and /debug/pprof/
	PID     int       `json:"pid"`
	Version string    `json:"version"`
	Started time.Time `json:"started"`
}

func (l *listeners) describe(publicURL string) running {
	r := running{URL: publicURL, Listen: l.main[0].Addr().String(), PID: os.Getpid(), Version: version,
		Started: time.Now().UTC().Truncate(time.Second)}
	if l.mqtt != nil {
		r.MQTT = l.mqtt.Addr().String()
	}
	if l.admin != nil {
		r.Admin = "http://" + l.admin.Addr().String()
	}
	return r
}

func (r running) write(data string) error {
	b, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return durable.Write(filepath.Join(data, runFile), append(b, '\n'))
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Hostname()
}
