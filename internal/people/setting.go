package people

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"net"
	"net/url"
	"slices"
	"strings"

	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// defaultBrand is shown until an operator sets brand.* (decisions.md, "Name and brand").
var defaultBrand = map[string]string{
	"brand.name":            "Safety Cloud",
	"brand.support_email":   "support@localhost",
	"brand.support_phone":   "",
	"brand.help_url":        "", // the web app has a page of its own
	"brand.license_url":     "/legal/license",
	"brand.terms_url":       "/legal/terms",
	"brand.refer_url":       "",
	"brand.copyright_owner": "",
	"brand.environment":     "",
}

// DefaultBrandName is the name of the product until an operator sets one.
func DefaultBrandName() string { return defaultBrand["brand.name"] }

// helper is the contact for questions; empty until an operator sets it: nobody reads support@localhost.
func helper(email string) string {
	if email == defaultBrand["brand.support_email"] {
		return ""
	}
	return email
}

// Helper is the contact for questions on screens and in mails, from the settings of the table and of the configuration; empty =
// none.
func Helper(stored, configured map[string]string) string {
	return helper(brandValue(settle(stored, configured, "brand."), "support_email"))
}

// settle lets the configuration take precedence over the table.
func settle(stored, configured map[string]string, prefix string) map[string]string {
	out := map[string]string{}
	maps.Copy(out, stored)
	for name, value := range configured {
		if strings.HasPrefix(name, prefix) {
			out[name] = value
		}
	}
	return out
}

// brandValue is one of the operator's values that are shown to people.
func brandValue(set map[string]string, name string) string {
	if v, ok := set["brand."+name]; ok {
		return v
	}
	return defaultBrand["brand."+name]
}

// settings returns the settings whose names begin with prefix; the configuration takes precedence over the table.
func (a *Accounts) settings(ctx context.Context, prefix string) (map[string]string, error) {
	stored, err := store.Settings(ctx, a.Store.Reader(), prefix)
	return settle(stored, a.Configured, prefix), err
}

// Brand returns how the installation presents itself. It is open to everybody.
func (a *Accounts) Brand(ctx context.Context) (wire.Brand, error) {
	set, err := a.settings(ctx, "brand.")
	if err != nil {
		return wire.Brand{}, err
	}
	value := func(name string) string { return brandValue(set, name) }
	out := wire.Brand{Name: value("name"), SupportEmail: value("support_email"), SupportPhone: value("support_phone"),
		HelpURL:    value("help_url"),
		LicenseURL: value("license_url"), TermsURL: value("terms_url"), ReferURL: value("refer_url"), CopyrightOwner: value("copyright_owner"),
		Environment: cmp.Or(value("environment"), environmentOf(a.PublicURL))}
	if out.CopyrightOwner == "" {
		out.CopyrightOwner = out.Name
	}
	return out, nil
}

// BrandName is the name of the product; its default when the settings cannot be read.
func (a *Accounts) BrandName(ctx context.Context) string {
	b, _ := a.Brand(ctx)
	return cmp.Or(b.Name, defaultBrand["brand.name"])
}

// environmentOf derives the kind of this installation from its public host name (requirements 9.list): from its parts, the last of
// which distinguishes productions in the United Kingdom and the European Union.
func environmentOf(publicURL string) string {
	u, err := url.Parse(publicURL)
	if err != nil || u.Hostname() == "" || u.Hostname() == "localhost" || net.ParseIP(u.Hostname()).IsLoopback() {
		return "local"
	}
	parts := strings.FieldsFunc(strings.ToLower(u.Hostname()), func(r rune) bool { return r == '.' || r == '-' })
	for _, kind := range []struct{ part, name string }{{"local", "local"}, {"dev", "dev"}, {"staging", "staging"}, {"stage", "staging"},
		{"test", "test"},
		{"uk", "production-uk"}, {"eu", "production-eu"}} {
		if slices.Contains(parts, kind.part) {
			return kind.name
		}
	}
	return "production"
}

// MapProviders returns the on-line maps that an administrator has configured (setting map.providers, a JSON list); entries that
// cannot work are left out.
func (a *Accounts) MapProviders(ctx context.Context) ([]wire.MapProvider, error) {
	set, err := a.settings(ctx, "map.providers")
	if err != nil {
		return nil, err
	}
	out := []wire.MapProvider{}
	text, ok := set["map.providers"]
	if !ok {
		return out, nil
	}
	var rows []wire.MapProvider
	if err := json.Unmarshal([]byte(text), &rows); err != nil {
		a.Log.Warn("setting map.providers is not a list of providers", "error", err)
		return out, nil
	}
	for _, p := range rows {
		if usableProvider(p) {
			out = append(out, p)
		} else {
			a.Log.Warn("map provider left out", "id", p.ID)
		}
	}
	return out, nil
}

// endsSource reports characters that are not allowed in a source of a Content-Security-Policy; names in other scripts have a form
// in ASCII.
func endsSource(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune(`;,'"*`, r) }

// usableProvider requires https (http only on this machine), an attribution and, for raster tiles, a template.
func usableProvider(p wire.MapProvider) bool {
	u, err := url.Parse(p.URL)
	if err != nil || u.Host == "" || p.ID == "" || p.Attribution == "" || strings.ContainsFunc(u.Host, endsSource) {
		return false
	}
	local := u.Hostname() == "localhost" || u.Hostname() == "127.0.0.1"
	if u.Scheme != "https" && !(u.Scheme == "http" && local) {
		return false
	}
	if !slices.Contains([]string{"roadmap", "satellite", "hybrid"}, p.MapType) {
		return false
	}
	switch p.Kind {
	case "style":
		return true
	case "raster":
		return strings.Contains(p.URL, "{z}") && strings.Contains(p.URL, "{x}") && strings.Contains(p.URL, "{y}")
	}
	return false
}
