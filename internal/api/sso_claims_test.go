package api_test

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"github.com/golang-jwt/jwt/v5"
	"github.com/oauth2-proxy/mockoidc"

	"lightbar/internal/testkit"
)

// member is a person whose provider keeps claims in the ID token, at UserInfo, or nowhere.
type member struct {
	subject         string
	token, userInfo map[string]any
}

func (m member) ID() string { return m.subject }

func (m member) Userinfo([]string) ([]byte, error) {
	said := maps.Clone(m.userInfo)
	said["sub"] = m.subject
	return json.Marshal(said)
}

func (m member) Claims(_ []string, base *mockoidc.IDTokenClaims) (jwt.Claims, error) {
	text, err := json.Marshal(base)
	said := jwt.MapClaims{}
	if err == nil {
		err = json.Unmarshal(text, &said)
	}
	maps.Copy(said, m.token)
	return said, err
}

// A provider that keeps everything at UserInfo, as OpenID Connect Core 5.4 allows, lets people in, for the first time and again.
func TestPeopleWhoseClaimsAreAtUserInfo(t *testing.T) {
	c := newCity(t)
	who := member{"chief", map[string]any{}, map[string]any{"email": "chief@city.example", "given_name": "Ann", "groups": []string{"chiefs"}}}
	for range 2 {
		r := c.Do(testkit.Request{Path: "/api/profile", Token: c.enters(t, who)})
		if !strings.Contains(r.Text, `"email":"chief@city.example"`) || !strings.Contains(r.Text, `"user:admin:manage"`) {
			t.Fatalf("profile: %s", r.Text)
		}
	}
	who.userInfo["groups"] = []string{"tow"} // the groups there move people, too
	if r := c.Do(testkit.Request{Path: "/api/profile", Token: c.enters(t, who)}); !strings.Contains(r.Text, c.Managed.ID) {
		t.Errorf("profile after the move: %s", r.Text)
	}
	who.userInfo["groups"] = []string{} // an answer: in no group anymore
	c.refused(t, c.comeBack(c.leave(t, "", who)), "sso_not_mapped")
}

// A provider that doesn't say the groups refuses a sign-in. It ends no session, suspends nobody, stops no key, and administrators are told why, once.
func TestGroupsThatAreNotSaidEndNothing(t *testing.T) {
	for name, missing := range map[string]member{
		"Entra ID above 200 groups": {token: map[string]any{"email": bobsEmail, "hasgroups": true, "_claim_names": map[string]string{"groups": "src1"},
			"_claim_sources": map[string]any{"src1": map[string]string{"endpoint": "https://graph.example/getMemberObjects"}}}},
		"moved to nowhere": {token: map[string]any{"email": bobsEmail}},
		"an empty answer":  {token: map[string]any{"email": bobsEmail}, userInfo: map[string]any{"groups": nil}},
		"joined in a text": {token: map[string]any{"email": bobsEmail, "groups": "staff chiefs"}},
		"not readable":     {token: map[string]any{"email": bobsEmail, "groups": map[string]bool{"chiefs": true}}},
	} {
		t.Run(name, func(t *testing.T) {
			c, _ := mailedCity(t)
			token := c.enters(t, person("bob", bobsEmail, "chiefs"))
			secret := c.keyOf(t, "bob")
			missing.subject = "bob"
			if missing.userInfo == nil {
				missing.userInfo = map[string]any{}
			}
			for range 2 {
				c.refused(t, c.comeBack(c.leave(t, "", missing)), "sso_groups_missing")
			}
			if r := c.Do(testkit.Request{Path: "/api/profile", Token: token}); r.Status != 200 {
				t.Errorf("the open session: %d %s", r.Status, r.Text)
			}
			if !c.reports(t, secret) || c.user(t, "bob").Suspended || mails(t, c.World, "suspended") != 0 {
				t.Error("a key, a user, or a mailbox was told that bob has left")
			}
			if n := mails(t, c.World, "groups_missing"); n != 3 { // one to each of the three who administer, bob among them
				t.Errorf("%d letters to administrators", n)
			}
			c.enters(t, person("bob", bobsEmail, "chiefs"))
		})
	}
}

// A stranger whose groups are not said stays outside, and the administrators of all organizations of that provider learn it.
func TestAStrangerWhoseGroupsAreNotSaid(t *testing.T) {
	c, _ := mailedCity(t)
	stranger := member{"eve", map[string]any{"email": "eve@city.example"}, map[string]any{}}
	for range 3 {
		c.refused(t, c.comeBack(c.leave(t, "", stranger)), "sso_groups_missing")
	}
	if n := mails(t, c.World, "groups_missing"); n == 0 || n > 2 {
		t.Errorf("%d letters", n)
	}
}
