package api_test

import (
	"bytes"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"lightbar/internal/testkit"
)

// endable is a provider whose document names where sessions end.
type endable struct{}

func (endable) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := http.DefaultTransport.RoundTrip(r)
	if err != nil || !strings.HasSuffix(r.URL.Path, "/.well-known/openid-configuration") {
		return res, err
	}
	body, err := io.ReadAll(res.Body)
	_ = res.Body.Close()
	end := "http://" + r.URL.Host + "/logout"
	res.Body = io.NopCloser(bytes.NewReader(bytes.Replace(body, []byte("{"), []byte(`{"end_session_endpoint":"`+end+`",`), 1)))
	res.ContentLength = -1
	return res, err
}

// Whoever came from a provider that can be signed out of hears so, and is led there.
func TestSigningOutOfTheProvider(t *testing.T) {
	c := newCity(t)
	ann := person("ann", "ann@city.example", "chiefs")
	if r := c.comeBack(c.leave(t, "", ann)); r.Header.Get("Location") != "/welcome/sso" {
		t.Errorf("a provider that has no such place: %s", r.Header.Get("Location"))
	}
	c.refused(t, c.Do(testkit.Request{Path: "/api/sso/city/end"}), "sso_failed")
	c.refused(t, c.Do(testkit.Request{Path: "/api/sso/other/end"}), "provider_unknown")

	c = newCity(t)
	c.client.Transport = endable{}
	if r := c.comeBack(c.leave(t, "/dashboard/x", ann)); r.Header.Get("Location") != "/welcome/sso?leave=city&origin=%2Fdashboard%2Fx" {
		t.Errorf("after a sign-in: %s", r.Header.Get("Location"))
	}
	r := c.Do(testkit.Request{Path: "/api/sso/city/end"})
	at, err := url.Parse(r.Header.Get("Location"))
	if err != nil || r.Status != http.StatusFound || at.Path != "/logout" || at.Query().Get("client_id") != c.mock.ClientID ||
		at.Query().Get("post_logout_redirect_uri") != c.App.PublicURL+"/welcome/signin" {
		t.Errorf("%d %s", r.Status, at)
	}
}
