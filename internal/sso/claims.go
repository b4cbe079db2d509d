package sso

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

// claims are what a provider says of a person, by name.
type claims map[string]any

// identity reads who a person is from a token that holds. What the token leaves
// out, the UserInfo endpoint may say (OpenID Connect Core 5.4).
func (c *Client) identity(ctx context.Context, p *oidc.Provider, token *oidc.IDToken, tokens *oauth2.Token) (Identity, error) {
	var said claims
	if err := token.Claims(&said); err != nil {
		return Identity{}, fmt.Errorf("%w: %w", ErrRejected, err)
	}
	// A token with several audiences says for whom it was made (OpenID Connect Core 3.1.3.7).
	if azp := said.text("azp"); azp != "" && azp != c.ClientID || len(token.Audience) > 1 && azp == "" {
		return Identity{}, fmt.Errorf("%w: made for another client", ErrRejected)
	}
	if token.Subject == "" || len(token.Subject) > 255 || strings.ContainsFunc(token.Subject, unicode.IsControl) {
		return Identity{}, fmt.Errorf("%w: no subject", ErrRejected)
	}
	var asked error
	if c.leavesOut(said) {
		asked = c.addUserInfo(ctx, p, token.Subject, tokens, said)
	}
	out := Identity{Issuer: token.Issuer, Subject: token.Subject, Email: said.text("email"), FirstName: said.text("given_name"),
		LastName: said.text("family_name"), AuthTime: seconds(said["auth_time"])}
	var ok bool
	if out.Groups, ok = texts(said[c.ClaimOfGroups()]); !ok || c.mayHaveMore(said, out.Groups) {
		out.GroupsMissing = c.whyNoGroups(said, asked)
	}
	if out.FirstName == "" && out.LastName == "" {
		first, last, _ := strings.Cut(said.text("name"), " ")
		out.FirstName, out.LastName = first, strings.TrimSpace(last)
	}
	if unverified(said["email_verified"]) {
		out.Email = "" // nobody has shown that it is theirs
	}
	return out, nil
}

// leavesOut reports whether a token lacks something that UserInfo may say.
func (c *Client) leavesOut(said claims) bool {
	_, groups := texts(said[c.ClaimOfGroups()])
	named := said.text("given_name") != "" || said.text("family_name") != "" || said.text("name") != ""
	return !groups || said.text("email") == "" || !named
}

// addUserInfo adds the claims of UserInfo that a token lacks. An email comes
// together with what is said of its verification, never with that of another.
func (c *Client) addUserInfo(ctx context.Context, p *oidc.Provider, subject string, tokens *oauth2.Token, said claims) error {
	at, err := url.Parse(p.UserInfoEndpoint())
	if err != nil || at.Host == "" || !c.mayUse(at) {
		return nil // it has none, or none to which a token may be sent
	}
	info, err := p.UserInfo(ctx, oauth2.StaticTokenSource(tokens))
	if err != nil {
		return fmt.Errorf("%.200q", hideURL(err).Error()) // it may hold the whole answer
	}
	var more claims
	if err := info.Claims(&more); err != nil {
		return err
	}
	if info.Subject != subject { // then its claims must not be used (OpenID Connect Core 5.3.2)
		return errors.New("it is about someone else")
	}
	if _, ok := texts(said[c.ClaimOfGroups()]); !ok && more[c.ClaimOfGroups()] != nil {
		said[c.ClaimOfGroups()] = more[c.ClaimOfGroups()]
	}
	switch email := said.text("email"); {
	case email == "":
		said["email"], said["email_verified"] = more["email"], more["email_verified"]
	case said["email_verified"] == nil && email == more.text("email"):
		said["email_verified"] = more["email_verified"]
	}
	for _, name := range []string{"given_name", "family_name", "name", "_claim_names", "hasgroups"} {
		if said[name] == nil {
			said[name] = more[name]
		}
	}
	return nil
}

// mayHaveMore reports whether groups none of which is mapped may not be all that a person is in.
func (c *Client) mayHaveMore(said claims, groups []string) bool {
	_, placed := c.Place(groups)
	return !placed && (c.leftOut(said) || c.inOneText(said))
}

// leftOut reports whether a provider says that it left out groups: Microsoft
// Entra ID does above 200 ("groups overage").
func (c *Client) leftOut(said claims) bool {
	elsewhere, _ := said["_claim_names"].(map[string]any)
	_, left := elsewhere[c.ClaimOfGroups()]
	more, _ := said["hasgroups"].(bool)
	return left || more
}

// inOneText reports whether the groups are one text that may be several, one of
// them mapped: some providers join them by commas or blanks. A single group may
// be called so as well; so it lets nobody in, and shuts nobody out.
func (c *Client) inOneText(said claims) bool {
	text := said.text(c.ClaimOfGroups())
	return slices.ContainsFunc([]string{",", ";", "|", " "}, func(by string) bool {
		groups := strings.Split(text, by)
		for i := range groups {
			groups[i] = strings.Trim(groups[i], ` "'[]`)
		}
		_, placed := c.Place(groups)
		return placed
	})
}

// whyNoGroups tells an operator why a provider's answer has no list of groups.
func (c *Client) whyNoGroups(said claims, asked error) string {
	name := c.ClaimOfGroups()
	switch {
	case c.leftOut(said):
		return fmt.Sprintf("the provider left out the claim %q because the person is in too many groups", name)
	case c.inOneText(said):
		return fmt.Sprintf("the claim %q is one text that may name several groups: let the provider send a list", name)
	case said[name] != nil:
		return fmt.Sprintf("the claim %q is neither a text nor a list of texts", name)
	case asked != nil:
		return fmt.Sprintf("the claim %q is not in the ID token, and UserInfo could not be read: %v", name, asked)
	default:
		return fmt.Sprintf("the claim %q is neither in the ID token nor in UserInfo", name)
	}
}

// ClaimOfGroups is the name of the claim that lists a person's groups.
func (p Provider) ClaimOfGroups() string {
	if p.GroupsClaim == "" {
		return "groups"
	}
	return p.GroupsClaim
}

// text is a claim that is a text, without the control characters that no
// database, header or log should get.
func (c claims) text(name string) string {
	text, _ := c[name].(string)
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, text))
}

// seconds reads a claim that is a number of seconds since 1970; anything else is no time.
func seconds(claim any) time.Time {
	n, ok := claim.(float64)
	if !ok || n < 1 || n > 1<<40 {
		return time.Time{}
	}
	return time.Unix(int64(n), 0)
}

// texts reads a claim that is a text or a list of texts. ok is false when it
// says nothing: it is absent, null, an empty text, of another type, or a list
// without a single text that is not empty.
func texts(claim any) (out []string, ok bool) {
	switch v := claim.(type) {
	case string:
		if strings.TrimSpace(v) != "" {
			return []string{v}, true
		}
	case []any:
		for _, one := range v {
			if s, is := one.(string); is && strings.TrimSpace(s) != "" {
				out = append(out, s)
			}
		}
		return out, len(out) > 0 || len(v) == 0
	}
	return nil, false
}

// unverified reports whether a provider denies that an email is its user's.
// Some write the truth value as text; only a plain yes, or nothing, counts as one.
func unverified(claim any) bool {
	switch v := claim.(type) {
	case nil:
		return false
	case bool:
		return !v
	case string:
		return !strings.EqualFold(strings.TrimSpace(v), "true")
	}
	return true
}
