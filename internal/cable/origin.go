package cable

import (
	"net/http"
	"net/url"
	"strings"
)

// originAllowed decides whether a page may open the socket. A browser always sends where a page came from: the origin must be one
// of ours or the host of the request; "null" (sandboxed frames, files) never is. Without an Origin only a program may connect: no
// cookies and no fetch metadata, both of which only browsers send.
func originAllowed(r *http.Request, allowed []string) bool {
	values := r.Header.Values("Origin")
	if len(values) == 0 {
		return r.Header.Get("Cookie") == "" && r.Header.Get("Sec-Fetch-Mode") == "" && r.Header.Get("Sec-Fetch-Site") == ""
	}
	if len(values) != 1 {
		return false
	}
	origin, ok := canonicalOrigin(values[0])
	if !ok {
		return false
	}
	for _, a := range allowed {
		if c, ok := canonicalOrigin(a); ok && c == origin {
			return true
		}
	}
	scheme, _, _ := strings.Cut(origin, "://")
	same, ok := canonicalOrigin(scheme + "://" + r.Host)
	return ok && same == origin
}

// canonicalOrigin is scheme://host:port in small letters, always with the port.
func canonicalOrigin(s string) (string, bool) {
	u, err := url.Parse(s)
	if err != nil || u.Host == "" || u.User != nil || (u.Path != "" && u.Path != "/") || u.RawQuery != "" {
		return "", false
	}
	port := u.Port()
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return "", false
	case port == "" && u.Scheme == "http":
		port = "80"
	case port == "":
		port = "443"
	}
	return u.Scheme + "://" + strings.ToLower(u.Hostname()) + ":" + port, true
}
