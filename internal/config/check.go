package config

import (
	"encoding/json"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
)

// Error is one sentence about a wrong setting.
type Error string

// Error implements error.
func (e Error) Error() string { return string(e) }

func wrong(format string, args ...any) error { return Error(fmt.Sprintf(format, args...)) }

// Check completes and verifies the settings of a server.
func (s *Server) Check() error {
	host, port, err := net.SplitHostPort(s.Listen)
	if err != nil || port == "" {
		return wrong("--listen %q is not HOST:PORT, such as localhost:8080.", s.Listen)
	}
	if err := checkPort("--listen", port); err != nil {
		return err
	}
	if (s.TLSCert == "") != (s.TLSKey == "") {
		return wrong("--tls-cert and --tls-key belong together; one of them is missing.")
	}
	if err := s.checkACME(); err != nil {
		return err
	}
	local := Loopback(s.Listen)
	if s.PublicURL == "" {
		if !local {
			return wrong("--public-url is required because --listen %s is not loopback: set the address that users open, "+
				"such as https://fleet.example.org.", s.Listen)
		}
		s.PublicURL = s.scheme() + "://" + net.JoinHostPort(host, port)
	}
	if err := s.checkPublic(); err != nil {
		return err
	}
	if err := s.checkOrdered(); err != nil {
		return err
	}
	if !local && !s.DoesTLS() && len(s.TrustedProxies) == 0 && !s.AllowHTTP {
		return wrong("--listen %s would send passwords in the clear: give --tls-cert and --tls-key, "+
			"or --tls-acme-domain, or --trusted-proxy for the proxy that does TLS, or --allow-http for a network you trust.", s.Listen)
	}
	if s.AdminListen != "off" {
		_, port, err := net.SplitHostPort(s.AdminListen)
		if err != nil {
			return wrong("--admin-listen %q is neither HOST:PORT nor off.", s.AdminListen)
		}
		if err := checkPort("--admin-listen", port); err != nil {
			return err
		}
		if !Loopback(s.AdminListen) {
			return wrong("--admin-listen %s is not loopback; metrics and profiles are not for the network.", s.AdminListen)
		}
	}
	if err := s.checkMQTT(); err != nil {
		return err
	}
	if err := s.Mail.check(); err != nil {
		return err
	}
	if err := s.Limits.check(); err != nil {
		return err
	}
	if err := s.Map.checkDirections(); err != nil {
		return err
	}
	return s.Map.Providers.check()
}

// checkMQTT: keys of devices never cross a network in the clear, not even one that HTTP is trusted to.
func (s *Server) checkMQTT() error {
	if (s.MQTTCert == "") != (s.MQTTKey == "") {
		return wrong("--mqtt-cert and --mqtt-key belong together; one of them is missing.")
	}
	if s.MQTTListen == "" {
		if s.MQTTCert != "" {
			return wrong("--mqtt-cert and --mqtt-key need --mqtt-listen.")
		}
		return nil
	}
	_, port, err := net.SplitHostPort(s.MQTTListen)
	if err != nil || port == "" {
		return wrong("--mqtt-listen %q is not HOST:PORT, such as 0.0.0.0:8883.", s.MQTTListen)
	}
	if err := checkPort("--mqtt-listen", port); err != nil {
		return err
	}
	if cert, _ := s.MQTTPair(); cert == "" && !s.ACME.Orders() && !Loopback(s.MQTTListen) {
		return wrong("--mqtt-listen %s would send the keys of devices in the clear: give --mqtt-cert and --mqtt-key, "+
			"or --tls-cert and --tls-key.", s.MQTTListen)
	}
	return nil
}

// MQTTPair are the files of MQTT's certificate and key; "" = it speaks in the clear, on loopback.
func (s *Server) MQTTPair() (cert, key string) {
	if s.MQTTCert != "" {
		return s.MQTTCert, s.MQTTKey
	}
	return s.TLSCert, s.TLSKey
}

// checkDirections takes http as well: such a service often stands on the same machine or network.
func (m *Map) checkDirections() error {
	u, err := url.Parse(m.DirectionsURL)
	if m.DirectionsURL != "" && (err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil ||
		u.RawQuery != "" || u.Fragment != "") {
		return wrong("the directions url %q is not an address such as https://osrm.example.org.", hidden(m.DirectionsURL))
	}
	return nil
}

// checkPort refuses what no machine could listen on.
func checkPort(flag, port string) error {
	if _, err := net.LookupPort("tcp", port); err != nil {
		return wrong("%s: %q is not a port; choose a number within 1 and 65535, or 0 for a free one.", flag, port)
	}
	return nil
}

// DoesTLS reports whether the server speaks TLS itself.
func (s *Server) DoesTLS() bool { return s.TLSCert != "" || s.ACME.Orders() }

// domain is a name that an authority can connect to; it proves no wildcard and no address by that.
var domain = regexp.MustCompile(`^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$`)

// checkACME judges what needs no other setting but the files of a certificate.
func (s *Server) checkACME() error {
	a := &s.ACME
	if !a.Orders() {
		if a.Email != "" || a.AcceptTerms || a.CA != "" {
			return wrong("The settings --tls-acme-… need --tls-acme-domain.")
		}
		return nil
	}
	if s.TLSCert != "" {
		return wrong("--tls-acme-domain and --tls-cert are two ways to a certificate; give one of them.")
	}
	for i, name := range a.Domains {
		if a.Domains[i] = strings.ToLower(name); !domain.MatchString(a.Domains[i]) {
			return wrong("--tls-acme-domain %q is not a name such as fleet.example.org. Other scripts are written in ASCII (xn--…); "+
				"addresses and wildcards need --tls-cert.", name)
		}
	}
	u, err := url.Parse(a.Directory)
	if err != nil || u.Scheme != "https" || u.Host == "" || u.User != nil {
		return wrong("--tls-acme-directory %q is not an address such as https://ca.example.org/acme/directory.", hidden(a.Directory))
	}
	if !a.AcceptTerms {
		return wrong("--tls-acme-domain needs --tls-acme-accept-terms: read the terms of service of %s first.", u.Host)
	}
	if a.Email != "" && (!strings.Contains(a.Email, "@") || strings.ContainsAny(a.Email, " ,<>")) {
		return wrong("--tls-acme-email %q is not an email address.", a.Email)
	}
	return nil
}

// checkOrdered: what users open must be what the certificate is for.
func (s *Server) checkOrdered() error {
	u, err := url.Parse(s.PublicURL)
	if !s.ACME.Orders() || err == nil && u.Scheme == "https" && slices.Contains(s.ACME.Domains, strings.ToLower(u.Hostname())) {
		return nil
	}
	return wrong("--public-url %s is not https:// with one of the names of --tls-acme-domain, so browsers would refuse the certificate.",
		s.PublicURL)
}

func (s *Server) scheme() string {
	if s.DoesTLS() {
		return "https"
	}
	return "http"
}

func (s *Server) checkPublic() error {
	s.PublicURL = strings.TrimRight(s.PublicURL, "/")
	u, err := url.Parse(s.PublicURL)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.Path != "" || u.RawQuery != "" || u.User != nil ||
		u.Fragment != "" {
		return wrong("--public-url %q is not an address such as https://fleet.example.org (no path).", s.PublicURL)
	}
	return nil
}

// Loopback reports whether HOST:PORT can only be reached from this machine.
func Loopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	if host == "localhost" {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}

var (
	providerID = regexp.MustCompile(`^[a-z0-9_-]{1,40}$`)
	kinds      = []string{"style", "raster"}
	types      = []string{"roadmap", "satellite", "hybrid"}
)

// UnmarshalText reads the JSON list of an environment variable.
func (p *Providers) UnmarshalText(b []byte) error {
	type plain Providers
	d := json.NewDecoder(strings.NewReader(string(b)))
	d.DisallowUnknownFields()
	var out plain
	if err := d.Decode(&out); err != nil {
		return fmt.Errorf("not a JSON list of map providers: %w", err)
	}
	if err := strict(b); err != nil {
		return fmt.Errorf("not a JSON list of map providers: %w", err)
	}
	*p = Providers(out)
	return nil
}

func (p Providers) check() error {
	seen := map[string]bool{}
	for i := range p {
		v := &p[i]
		u, err := url.Parse(v.URL)
		switch {
		case !providerID.MatchString(v.ID):
			return wrong("map provider %d: the id %q must be 1 to 40 of a-z, 0-9, - and _.", i+1, v.ID)
		case seen[v.ID]:
			return wrong("map provider %s is named twice.", v.ID)
		case v.Title == "":
			return wrong("map provider %s has no title.", v.ID)
		case !slices.Contains(kinds, v.Kind):
			return wrong("map provider %s: kind %q is neither style nor raster.", v.ID, v.Kind)
		case !slices.Contains(types, v.MapType):
			return wrong("map provider %s: map_type %q is none of roadmap, satellite, hybrid.", v.ID, v.MapType)
		case err != nil || u.Host == "" || u.Scheme != "https" && !(u.Scheme == "http" && Loopback(u.Host+":0")):
			return wrong("map provider %s: the url %q must begin with https://.", v.ID, v.URL)
		case v.Kind == "raster" && !(strings.Contains(v.URL, "{z}") && strings.Contains(v.URL, "{x}") && strings.Contains(v.URL, "{y}")):
			return wrong("map provider %s: a raster url needs {z}, {x} and {y}.", v.ID)
		case v.Attribution == "":
			return wrong("map provider %s has no attribution; map data must be credited.", v.ID)
		case v.MaxZoom < 0 || v.MaxZoom > 24:
			return wrong("map provider %s: max_zoom %d is not within 0 and 24.", v.ID, v.MaxZoom)
		}
		seen[v.ID] = true
		v.URL = u.Scheme + v.URL[len(u.Scheme):] // HTTPS:// is https://
	}
	return nil
}

// Check verifies what every subcommand shares.
func (c *Common) Check() error {
	if c.Database == "" {
		return nil
	}
	u, err := url.Parse(c.Database.Reveal())
	if err != nil || (u.Scheme != "postgres" && u.Scheme != "postgresql") {
		return wrong("--database is not an address of PostgreSQL such as postgres://user@host/name.")
	}
	return nil
}

// hidden is an address without its password.
func hidden(at string) string {
	if at == "" {
		return ""
	}
	u, err := url.Parse(at)
	if err != nil {
		return "***"
	}
	query := u.Query()
	for _, secret := range []string{"password", "sslpassword"} {
		if query.Has(secret) {
			query.Set(secret, "***")
		}
	}
	u.RawQuery = query.Encode()
	return u.Redacted()
}

// Unknown lists variables named LIGHTBAR_… that nobody reads: spelling mistakes, mostly.
func Unknown(known map[string]bool) []string {
	var out []string
	for _, entry := range os.Environ() {
		name, _, _ := strings.Cut(entry, "=")
		if strings.HasPrefix(name, "LIGHTBAR_") && !known[name] && !ofScripts[name] {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// ofScripts are variables of the project's own test scripts.
var ofScripts = map[string]bool{
	"LIGHTBAR_TESTDATA": true, "LIGHTBAR_REQUIRE_POSTGRES": true, "LIGHTBAR_TEST_PG_FSYNC": true, "LIGHTBAR_BINARY": true,
	"LIGHTBAR_REGION": true,
}
