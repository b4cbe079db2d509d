package sso

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"regexp"

	"lightbar/internal/secret"
)

var providerID = regexp.MustCompile(`^[a-z0-9_-]{1,40}$`)

// ReadProviders reads the operator's file of identity providers: a JSON list
// of Provider. It holds client secrets, so nobody else may read it. The error
// is one sentence that names what is wrong.
func ReadProviders(path string) ([]Provider, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("the file of identity providers %s cannot be read: %w", path, err)
	}
	if secret.Exposed(path, info.Mode()) {
		return nil, fmt.Errorf("the file of identity providers %s holds secrets but others may read it (%o); make it 600", path,
			info.Mode().Perm())
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("the file of identity providers %s cannot be read: %w", path, err)
	}
	out, err := ParseProviders(b)
	if err != nil {
		return nil, fmt.Errorf("the file of identity providers %s: %w", path, err)
	}
	return out, nil
}

// ParseProviders reads and checks a JSON list of providers.
func ParseProviders(b []byte) ([]Provider, error) {
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	var out []Provider
	if err := d.Decode(&out); err != nil {
		return nil, fmt.Errorf("it is not a JSON list of providers: %w", err)
	}
	seen := map[string]bool{}
	for i, p := range out {
		if err := p.check(); err != nil {
			return nil, fmt.Errorf("provider %d (%s): %w", i+1, p.ID, err)
		}
		if seen[p.ID] {
			return nil, fmt.Errorf("the id %s is there twice", p.ID)
		}
		seen[p.ID] = true
	}
	return out, nil
}

func (p Provider) check() error {
	u, err := url.Parse(p.Issuer)
	local := err == nil && (u.Hostname() == "localhost" || u.Hostname() == "127.0.0.1" || u.Hostname() == "::1")
	switch {
	case !providerID.MatchString(p.ID):
		return fmt.Errorf("the id is 1 to 40 of a-z, 0-9, - and _")
	case p.Title == "":
		return fmt.Errorf("it has no title")
	case err != nil || u.Host == "" || u.RawQuery != "" || u.Fragment != "" || u.Scheme != "https" && !(u.Scheme == "http" && local):
		return fmt.Errorf("the issuer %q must begin with https:// (http:// on this machine alone)", p.Issuer)
	case p.ClientID == "":
		return fmt.Errorf("it has no client_id")
	case len(p.Mappings) == 0:
		return fmt.Errorf("it maps no group: nobody could sign in")
	}
	for _, m := range p.Mappings {
		if m.Group == "" || m.Organization == "" || m.Role == "" {
			return fmt.Errorf("a mapping needs group, organization and role")
		}
	}
	return nil
}
