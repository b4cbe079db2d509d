package provider

import (
	"fmt"
	"net/url"
	"strings"
	"time"

	"lightbar/catalog"
	"lightbar/internal/outbound"
)

var (
	answerBytes = catalog.LimitInt("provider", "answerBytes")
	answerTime  = catalog.LimitMs("provider", "answerMs")
)

// Options are what the clients of a process share.
type Options struct {
	Outbound *outbound.Client // nil reaches public addresses only
	Now      func() time.Time // nil is the system's clock
}

// New makes a client of an account. Keep it while the account is what it was:
// it knows its session, how often it signed in, and which lights were on.
func New(kind string, account Account, o Options) (Client, error) {
	var out outbound.Client
	if o.Outbound != nil {
		out = *o.Outbound
	}
	out.Limit, out.Timeout = answerBytes, answerTime
	at := api{account: account, server: account.Server, now: o.Now, out: out.WithKeepAlive()}
	if at.now == nil {
		at.now = time.Now
	}
	if account.Server != "" && !isHost(account.Server) {
		return nil, fmt.Errorf("provider: the server is no host: %q", account.Server)
	}
	switch kind {
	case "geotab":
		return newGeotab(at), nil
	case "samsara":
		return newSamsara(at), nil
	}
	return nil, fmt.Errorf("provider: unknown kind: %q", kind)
}

// isHost tells a host, perhaps with a port, from what would lead elsewhere in an address.
func isHost(text string) bool {
	at, err := url.Parse("https://" + text + "/")
	return err == nil && at.Host == text && at.Hostname() != "" && len(text) <= 260 && !strings.ContainsAny(text, "/?#@\\% ")
}
