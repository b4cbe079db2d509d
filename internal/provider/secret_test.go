package provider_test

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"
	"time"

	"lightbar/internal/provider"
	"lightbar/internal/testkit/providertest"
)

// secretIn finds a secret as it is, and as it is written in JSON and in addresses.
func secretIn(text, secret string) bool {
	escaped, _ := json.Marshal(secret)
	for _, as := range []string{secret, strings.Trim(string(escaped), `"`), url.QueryEscape(secret), url.PathEscape(secret), "SyntheticSessionId", "SyntheticToken"} {
		if strings.Contains(text, as) {
			return true
		}
	}
	return false
}

// Whatever a provider answers, even what it was asked with, no secret is in an error.
func TestSecretsAreInNoError(t *testing.T) {
	faults := []providertest.Fault{providertest.OverLimit, providertest.Unavailable, providertest.HTML502, providertest.HTML400, providertest.HTML200,
		providertest.Generic, providertest.NewKind, providertest.NoType, providertest.NoName, providertest.Argument, providertest.Cut, providertest.HangUp,
		providertest.Echo, providertest.Text400, providertest.Forbidden, providertest.NoCursor, providertest.Wanders, providertest.WrongShape, providertest.NotUnpacked}
	checked := 0
	check := func(fault providertest.Fault, err error, secret string) {
		if err == nil {
			return // not a fault of this provider
		}
		checked++
		if e := problem(t, err); secretIn(e.Message, secret) || secretIn(err.Error(), secret) {
			t.Errorf("%s: %s", fault, e.Message)
		}
	}
	for _, fault := range faults {
		g, s, c := providertest.NewGeotab(t), providertest.NewSamsara(t), newClock()
		if fault == providertest.Echo {
			g.SetPassword("HunterTwo") // it could be the name of an exception
		}
		asks := client(t, "geotab", g, c)
		g.Fail("Authenticate", fault)
		check(fault, fed(asks, t, ""), g.Account().Secret)
		c.pass(time.Minute)
		g.Fail("GetFeed LogRecord", fault, fault)
		check(fault, fed(asks, t, ""), g.Account().Secret)
		c.pass(time.Minute)
		g.Fail("Get", fault, fault)
		_, err := asks.Vehicles(t.Context())
		check(fault, err, g.Account().Secret)
		asks = client(t, "samsara", s, c)
		s.Fail(providertest.FeedPath, fault)
		check(fault, fed(asks, t, ""), s.Account().Secret)
		s.Fail(providertest.VehiclesPath, fault)
		_, err = asks.Vehicles(t.Context())
		check(fault, err, s.Account().Secret)
	}
	if checked < 70 {
		t.Errorf("only %d errors", checked)
	}
	account := provider.Account{Server: "private.example", Database: "d", User: "u", Secret: "hidden"}
	for _, kind := range []string{"geotab", "samsara"} {
		asks, err := provider.New(kind, account, provider.Options{})
		if err != nil {
			t.Fatal(err)
		}
		asked, cancel := contextOf(t)
		cancel()
		if _, err := asks.Feed(asked, ""); err == nil || strings.Contains(err.Error(), "hidden") {
			t.Errorf("%v", err)
		}
	}
}
