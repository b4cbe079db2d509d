package sso_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/go-jose/go-jose/v4"

	"lightbar/internal/sso"
)

// saysOnly makes the ID token carry only what it must, and UserInfo answer with a body (none: the provider has no UserInfo).
func (r *rogue) saysOnly(t *testing.T, token map[string]any, userInfo string) {
	t.Helper()
	claims := r.claims()
	for _, name := range []string{"email", "given_name", "family_name", "groups"} {
		delete(claims, name)
	}
	for name, value := range token {
		claims[name] = value
	}
	r.answers(sign(t, jose.RS256, r.key, claims))
	r.userInfo = userInfo
}

// What the ID token leaves out is read from UserInfo (OpenID Connect Core 5.4), and only if it is about the same person.
func TestClaimsThatOnlyUserInfoHas(t *testing.T) {
	groups := []string{"chiefs"}
	for name, c := range map[string]struct {
		token    map[string]any
		userInfo string
		want     sso.Identity
		asked    int
	}{
		"all at UserInfo": {nil, `{"sub":"u1","email":"ann@city.example","name":"Ann Lee","groups":["chiefs"]}`,
			sso.Identity{Email: "ann@city.example", FirstName: "Ann", LastName: "Lee", Groups: groups}, 1},
		"only the groups": {map[string]any{"email": "ann@city.example", "name": "Ann Lee"}, `{"sub":"u1","email":"other@city.example","name":"Eve","groups":"chiefs"}`,
			sso.Identity{Email: "ann@city.example", FirstName: "Ann", LastName: "Lee", Groups: groups}, 1},
		"all in the token": {map[string]any{"email": "ann@city.example", "name": "Ann Lee", "groups": groups}, `{"sub":"u1","groups":["roots"]}`,
			sso.Identity{Email: "ann@city.example", FirstName: "Ann", LastName: "Lee", Groups: groups}, 0},
		"about someone else": {nil, `{"sub":"u2","email":"eve@city.example","groups":["chiefs"]}`,
			sso.Identity{GroupsMissing: "someone else"}, 1},
		"an email there that is not verified": {map[string]any{"email_verified": true, "groups": groups}, `{"sub":"u1","email":"ann@city.example","email_verified":"false"}`,
			sso.Identity{Groups: groups}, 1},
		"the same email, not verified there": {map[string]any{"email": "ann@city.example", "groups": groups}, `{"sub":"u1","email":"ann@city.example","email_verified":false}`,
			sso.Identity{Groups: groups}, 1},
		"the email of another account, not verified there": {map[string]any{"email": "ann@city.example", "groups": groups}, `{"sub":"u1","email":"old@city.example","email_verified":false}`,
			sso.Identity{Email: "ann@city.example", Groups: groups}, 1},
		"no UserInfo, but groups and email": {map[string]any{"email": "ann@city.example", "groups": groups}, "",
			sso.Identity{Email: "ann@city.example", Groups: groups}, 0},
		"a broken UserInfo costs nothing that the token says": {map[string]any{"email": "ann@city.example", "groups": groups}, `<html>`,
			sso.Identity{Email: "ann@city.example", Groups: groups}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRogue(t)
			r.saysOnly(t, c.token, c.userInfo)
			got, err := r.client().Finish(t.Context(), "code", "n1", "verifier")
			if err != nil || got.Email != c.want.Email || got.FirstName != c.want.FirstName || got.LastName != c.want.LastName ||
				!slices.Equal(got.Groups, c.want.Groups) || (got.GroupsMissing == "") != (c.want.GroupsMissing == "") ||
				!strings.Contains(got.GroupsMissing, c.want.GroupsMissing) {
				t.Errorf("got %+v, %v; want %+v", got, err, c.want)
			}
			if r.askedUserInfo != c.asked {
				t.Errorf("UserInfo was asked %d times, want %d", r.askedUserInfo, c.asked)
			}
		})
	}
}

// "Not said" is not "in no group": each way in which providers say nothing is told from an empty list, with its reason.
func TestGroupsThatAProviderDoesNotSay(t *testing.T) {
	entra := map[string]any{"hasgroups": true, "_claim_names": map[string]any{"groups": "src1"},
		"_claim_sources": map[string]any{"src1": map[string]any{"endpoint": "https://graph.example/getMemberObjects"}}}
	for name, c := range map[string]struct {
		token    map[string]any
		userInfo string
		reason   string // empty: said
	}{
		"an empty list":            {map[string]any{"groups": []string{}}, "", ""},
		"a list":                   {map[string]any{"groups": []string{"staff"}}, "", ""},
		"a text":                   {map[string]any{"groups": "staff"}, "", ""},
		"an empty list there":      {nil, `{"sub":"u1","groups":[]}`, ""},
		"too many for Entra ID":    {entra, `{"sub":"u1"}`, "too many groups"},
		"hasgroups alone":          {map[string]any{"hasgroups": true}, "", "too many groups"},
		"nowhere":                  {nil, `{"sub":"u1"}`, "neither in the ID token nor in UserInfo"},
		"no UserInfo at all":       {nil, "", "neither in the ID token nor in UserInfo"},
		"null":                     {map[string]any{"groups": nil}, `{"sub":"u1","groups":null}`, "neither in the ID token nor in UserInfo"},
		"UserInfo fails":           {nil, "fault", "UserInfo could not be read"},
		"UserInfo is a long page":  {nil, "<html>" + strings.Repeat("x", 5000), "UserInfo could not be read"},
		"an empty text":            {map[string]any{"groups": " "}, "", "neither a text nor a list"},
		"a number":                 {map[string]any{"groups": 7}, "", "neither a text nor a list"},
		"a list of objects":        {map[string]any{"groups": []any{map[string]string{"name": "chiefs"}}}, "", "neither a text nor a list"},
		"a list of an empty text":  {map[string]any{"groups": []string{""}}, "", "neither a text nor a list"},
		"an empty list, and more":  {map[string]any{"groups": []string{}, "hasgroups": true}, "", "too many groups"},
		"a part of the list":       {map[string]any{"groups": []string{"staff"}, "_claim_names": entra["_claim_names"], "_claim_sources": entra["_claim_sources"]}, "", "too many groups"},
		"a part that is mapped":    {map[string]any{"groups": []string{"chiefs"}, "hasgroups": true}, "", ""},
		"one text, by blanks":      {map[string]any{"groups": "staff chiefs"}, "", "may name several"},
		"one text, by commas":      {map[string]any{"groups": "Domain Users, chiefs"}, "", "may name several"},
		"one text, a list in it":   {map[string]any{"groups": `["staff","chiefs"]`}, "", "may name several"},
		"one text there":           {nil, `{"sub":"u1","groups":"staff;chiefs"}`, "may name several"},
		"one text, none is mapped": {map[string]any{"groups": "Domain Users,staff"}, "", ""},
		"a list whose group's name holds a mapped one": {map[string]any{"groups": []string{"former chiefs"}}, "", ""},
		"an object for each group":                     {map[string]any{"groups": map[string]any{"chiefs": true}}, "", "neither a text nor a list"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRogue(t)
			r.saysOnly(t, c.token, c.userInfo)
			client := r.client()
			client.Mappings = []sso.Mapping{{Group: "chiefs", Organization: "o", Role: "administrator"}}
			got, err := client.Finish(t.Context(), "code", "n1", "verifier")
			if err != nil || (got.GroupsMissing == "") != (c.reason == "") || !strings.Contains(got.GroupsMissing, c.reason) || len(got.GroupsMissing) > 400 {
				t.Errorf("%q, %v; want %q", got.GroupsMissing, err, c.reason)
			}
		})
	}
}

// Whatever a provider writes in place of a truth value, only a plain yes or nothing leaves an email in place.
func TestEmailsThatNobodyHasVerified(t *testing.T) {
	for said, taken := range map[string]bool{`true`: true, `"true"`: true, `"True"`: true, `null`: true,
		`false`: false, `"false"`: false, `"False"`: false, `"no"`: false, `""`: false, `0`: false, `1`: false, `{}`: false} {
		r := newRogue(t)
		claims := r.claims()
		claims["email_verified"] = json.RawMessage(said)
		r.answers(sign(t, jose.RS256, r.key, claims))
		got, err := r.client().Finish(t.Context(), "code", "n1", "verifier")
		if err != nil || (got.Email != "") != taken {
			t.Errorf("email_verified %s: %q, %v", said, got.Email, err)
		}
	}
}

// Codes, secrets and access tokens go to no address but a safe one, and no key is read from another: whoever stands
// between could sign as the provider.
func TestNothingOfASignInIsSentInTheClear(t *testing.T) {
	withUserInfo := strings.Replace(document, `"jwks_uri"`, `"userinfo_endpoint":"https://id.city.example/userinfo","jwks_uri"`, 1)
	for _, name := range []string{"token", "keys", "userinfo"} {
		plain := ""
		c := said{documentPath: strings.Replace(withUserInfo, "https://id.city.example/"+name, "http://id.city.example/"+name, 1)}
		client := c.client()
		client.Transport = watched{c, func(r *http.Request) {
			if r.URL.Scheme != "https" {
				plain = r.URL.String()
			}
		}}
		c["/keys"], c["/token"] = signedByCity(t, map[string]any{"iss": issuer, "sub": "u1", "aud": "lightbar", "exp": now.Unix() + 60, "iat": now.Unix(), "nonce": "n1"})
		got, err := client.Finish(t.Context(), "code", "n1", "verifier")
		switch {
		case plain != "":
			t.Errorf("%s: asked %q", name, plain)
		case name == "userinfo" && (err != nil || got.Subject != "u1" || got.GroupsMissing == ""):
			t.Errorf("%s: %+v, %v", name, got, err)
		case name != "userinfo" && (err == nil || !strings.Contains(err.Error(), "https://")):
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

type watched struct {
	http.RoundTripper
	see func(*http.Request)
}

func (w watched) RoundTrip(r *http.Request) (*http.Response, error) {
	w.see(r)
	return w.RoundTripper.RoundTrip(r)
}
