// Package config is one documented structure and the only reader of the
// environment. A value comes from a flag, or else from LIGHTBAR_…, or else from
// the --config file, or else from its default.
package config

import (
	"encoding/json"
	"log/slog"
	"net/netip"
	"path/filepath"
)

// Common is what every subcommand that touches the database takes.
type Common struct {
	Data     string      `help:"Folder of the database, keys, maps and backups." default:"./data" type:"path" env:"LIGHTBAR_DATA" placeholder:"DIR"`
	Database DatabaseURL `help:"PostgreSQL to use instead of SQLite: postgres://user@host/name. Put a password into LIGHTBAR_DATABASE or the file, never on the command line." env:"LIGHTBAR_DATABASE" placeholder:"URL"`
	Insecure bool        `help:"Connect to PostgreSQL over the network without verified TLS. Anyone in between can read and change everything." name:"allow-insecure-database" env:"LIGHTBAR_ALLOW_INSECURE_DATABASE"`
	LogLevel slog.Level  `help:"Lowest level to log: debug, info, warn, or error." default:"info" env:"LIGHTBAR_LOG_LEVEL" placeholder:"LEVEL"`
	LogJSON  bool        `help:"Log JSON, one object per line." name:"log-json" env:"LIGHTBAR_LOG_JSON"`
}

// SQLitePath is the database file in the data folder.
func (c Common) SQLitePath() string { return filepath.Join(c.Data, "lightbar.db") }

// Server is what serve takes beside Common.
type Server struct {
	Listen         string         `help:"Address to serve on." default:"localhost:8080" env:"LIGHTBAR_LISTEN" placeholder:"HOST:PORT" group:"Server"`
	PublicURL      string         `help:"Address that users open, such as https://fleet.example.org. Links in emails use only this. Required if --listen is not loopback." env:"LIGHTBAR_PUBLIC_URL" placeholder:"URL" group:"Server"`
	TLSCert        string         `help:"Certificate chain (PEM). Read again when the file changes." name:"tls-cert" type:"path" env:"LIGHTBAR_TLS_CERT" placeholder:"FILE" group:"Server"`
	TLSKey         string         `help:"Private key of the certificate (PEM, readable only by this user)." name:"tls-key" type:"path" env:"LIGHTBAR_TLS_KEY" placeholder:"FILE" group:"Server"`
	ACME           ACME           `embed:"" prefix:"tls-acme-" group:"Server"`
	TrustedProxies []netip.Prefix `help:"Network of a trusted proxy, whose X-Forwarded-For and -Proto are used. Can be repeated." name:"trusted-proxy" env:"LIGHTBAR_TRUSTED_PROXY" placeholder:"CIDR" group:"Server"`
	AllowHTTP      bool           `help:"Serve plain HTTP beyond loopback without a proxy. Anyone on the network can read it." name:"allow-http" env:"LIGHTBAR_ALLOW_HTTP" group:"Server"`
	OutboundAllow  []netip.Prefix `help:"Private network that feed subscriptions can reach. Can be repeated. All others are refused." name:"outbound-allow" env:"LIGHTBAR_OUTBOUND_ALLOW" placeholder:"CIDR" group:"Server"`
	AdminListen    string         `help:"Loopback address of metrics and profiles; port 0 takes a free port, which is written to server.json in the data folder; off = none." default:"127.0.0.1:0" env:"LIGHTBAR_ADMIN_LISTEN" placeholder:"HOST:PORT" group:"Server"`

	MQTTListen string `help:"Address where light devices connect over MQTT, such as 0.0.0.0:8883 (see docs/mqtt.md). Beyond loopback it needs a certificate. None if not set." name:"mqtt-listen" env:"LIGHTBAR_MQTT_LISTEN" placeholder:"HOST:PORT" group:"Server"`
	MQTTCert   string `help:"Certificate chain (PEM) of MQTT; default that of --tls-cert." name:"mqtt-cert" type:"path" env:"LIGHTBAR_MQTT_CERT" placeholder:"FILE" group:"Server"`
	MQTTKey    string `help:"Private key of MQTT's certificate (PEM, readable only by this user); default that of --tls-key." name:"mqtt-key" type:"path" env:"LIGHTBAR_MQTT_KEY" placeholder:"FILE" group:"Server"`

	SSO string `help:"JSON file of OpenID Connect identity providers for single sign-on, readable only by this user (see docs/operations.md)." name:"sso" type:"path" env:"LIGHTBAR_SSO" placeholder:"FILE" group:"Server"`

	UpgradeWithoutBackup bool `help:"Upgrade the schema without making a copy first, if you made one by other means." env:"LIGHTBAR_UPGRADE_WITHOUT_BACKUP" group:"Server"`

	Brand Brand `embed:"" prefix:"brand-" group:"Brand"`
	Map   Map   `embed:"" prefix:"map-" group:"Map"`

	Limits Limits `help:"Limits that this installation overrides, a JSON object such as {\"incident\": {\"openAfterMs\": 30000}} (see docs/operations.md)." env:"LIGHTBAR_LIMITS" placeholder:"JSON" group:"Server"`

	Mail   Mail   `embed:"" group:"Mail"`
	People People `embed:"" group:"People"`
}

// ACME is how the server gets a certificate by itself, in place of files.
type ACME struct {
	Domains     []string `help:"Name to get a certificate for by ACME, from Let's Encrypt or your own authority, instead of --tls-cert and --tls-key. The authority must reach this server at port 443 of the name. Can be repeated." name:"domain" env:"LIGHTBAR_TLS_ACME_DOMAIN" placeholder:"NAME"`
	Email       string   `help:"Address where the authority reaches you." env:"LIGHTBAR_TLS_ACME_EMAIL" placeholder:"EMAIL"`
	AcceptTerms bool     `help:"You have read the authority's terms of service, and accept them." env:"LIGHTBAR_TLS_ACME_ACCEPT_TERMS"`
	Directory   string   `help:"ACME directory of the authority." default:"https://acme-v02.api.letsencrypt.org/directory" env:"LIGHTBAR_TLS_ACME_DIRECTORY" placeholder:"URL"`
	CA          string   `help:"Certificates (PEM) that sign the directory's own, if this machine doesn't know them." name:"ca" type:"path" env:"LIGHTBAR_TLS_ACME_CA" placeholder:"FILE"`
}

// Orders reports whether the server gets its certificate by itself.
func (a *ACME) Orders() bool { return len(a.Domains) > 0 }

// Brand is what users see of the operator. What is empty here is taken from
// the settings in the database, else from the defaults.
type Brand struct {
	Name           string `help:"Name of the product on every screen; default Safety Cloud." env:"LIGHTBAR_BRAND_NAME" placeholder:"TEXT"`
	SupportEmail   string `help:"Support email address." env:"LIGHTBAR_BRAND_SUPPORT_EMAIL" placeholder:"EMAIL"`
	SupportPhone   string `help:"Support phone number." env:"LIGHTBAR_BRAND_SUPPORT_PHONE" placeholder:"NUMBER"`
	HelpURL        string `help:"Help page for users." env:"LIGHTBAR_BRAND_HELP_URL" placeholder:"URL"`
	LicenseURL     string `help:"License agreement." env:"LIGHTBAR_BRAND_LICENSE_URL" placeholder:"URL"`
	TermsURL       string `help:"Terms of use." env:"LIGHTBAR_BRAND_TERMS_URL" placeholder:"URL"`
	ReferURL       string `help:"Page where a user refers another fleet." env:"LIGHTBAR_BRAND_REFER_URL" placeholder:"URL"`
	CopyrightOwner string `help:"Name in the copyright line." env:"LIGHTBAR_BRAND_COPYRIGHT_OWNER" placeholder:"TEXT"`
	Environment    string `help:"Shown next to the version, such as staging; default derived from the host of --public-url." env:"LIGHTBAR_BRAND_ENVIRONMENT" placeholder:"TEXT"`
}

// Settings are the values by their names in the settings table, only those that are said.
func (b Brand) Settings() map[string]string {
	out := map[string]string{}
	for name, value := range map[string]string{
		"name": b.Name, "support_email": b.SupportEmail, "support_phone": b.SupportPhone, "help_url": b.HelpURL,
		"license_url": b.LicenseURL, "terms_url": b.TermsURL, "refer_url": b.ReferURL,
		"copyright_owner": b.CopyrightOwner, "environment": b.Environment,
	} {
		if value != "" {
			out["brand."+name] = value
		}
	}
	return out
}

// Map is what the maps offer beside the embedded one.
type Map struct {
	Providers     Providers `help:"Online maps as a JSON list (see docs/operations.md). Only maps listed here are offered." env:"LIGHTBAR_MAP_PROVIDERS" placeholder:"JSON" json:"providers"`
	WordsKey      Secret    `help:"what3words API key. With it the map shows the what3words address of a selected place (see docs/operations.md). Put it into LIGHTBAR_MAP_WHAT3WORDS_KEY or the file, never on the command line." name:"what3words-key" env:"LIGHTBAR_MAP_WHAT3WORDS_KEY" placeholder:"KEY" json:"what3words_key"`
	DirectionsURL string    `help:"OSRM service that routes closure lines along roads, such as https://osrm.example.org. Without it, the region's imported roads are used (see docs/operations.md)." env:"LIGHTBAR_MAP_DIRECTIONS_URL" placeholder:"URL" json:"directions_url"`
}

// Secret is a text that printing hides.
type Secret string

// String hides the secret.
func (s Secret) String() string {
	if s == "" {
		return ""
	}
	return "***"
}

// MarshalJSON hides the secret.
func (s Secret) MarshalJSON() ([]byte, error) { return json.Marshal(s.String()) }

// LogValue hides the secret.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

// Reveal is the secret itself.
func (s Secret) Reveal() string { return string(s) }

// Provider is one on-line map that an administrator offers.
type Provider struct {
	ID          string `json:"id"`       // unique, a–z, 0–9, - and _
	Title       string `json:"title"`    // as the menu shows it
	Kind        string `json:"kind"`     // "style" (a MapLibre style) or "raster" (a tile template with {z} {x} {y})
	MapType     string `json:"map_type"` // "roadmap", "satellite" or "hybrid"
	URL         string `json:"url"`      // https://…
	Attribution string `json:"attribution"`
	MaxZoom     int    `json:"max_zoom"` // 0 = 19
}

// Providers is a list of maps; as a flag it is JSON.
type Providers []Provider

// DatabaseURL is an address that may hold a password: printing hides it.
type DatabaseURL string

// String hides the password.
func (d DatabaseURL) String() string { return hidden(string(d)) }

// MarshalJSON hides the password.
func (d DatabaseURL) MarshalJSON() ([]byte, error) { return json.Marshal(d.String()) }

// LogValue hides the password.
func (d DatabaseURL) LogValue() slog.Value { return slog.StringValue(d.String()) }

// Reveal is the address itself, for the driver alone.
func (d DatabaseURL) Reveal() string { return string(d) }
