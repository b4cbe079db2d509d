package sso

import (
	"context"
	"fmt"
	"net/url"
	"strings"
)

// Leave answers where a browser ends the provider's own session (OpenID Connect
// RP-Initiated Logout 1.0), empty where the provider has no such place. It
// carries no token: the provider asks the person, so that no other page can sign
// anybody out there. It sends them back to the sign-in screen.
func (c *Client) Leave(ctx context.Context) (string, error) {
	p, err := c.discover(ctx)
	if err != nil {
		return "", err
	}
	var document struct {
		End string `json:"end_session_endpoint"`
	}
	if err := p.Claims(&document); err != nil || document.End == "" {
		return "", nil //nolint:nilerr // a document that names it in another way doesn't name it
	}
	at, err := url.Parse(document.End)
	if err != nil || at.Hostname() == "" || !c.mayUse(at) || at.Fragment != "" {
		return "", fmt.Errorf("sso: %s: the provider's end_session_endpoint must begin with https://", c.ID)
	}
	query := at.Query()
	query.Set("client_id", c.ClientID)
	query.Set("post_logout_redirect_uri", strings.TrimSuffix(c.RedirectURL, "/api/sso/"+c.ID+"/callback")+"/welcome/signin")
	at.RawQuery = query.Encode()
	return at.String(), nil
}
