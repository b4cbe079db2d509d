package contract_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"

	"lightbar/internal/outbound"
	"lightbar/internal/testkit"
	"lightbar/internal/testkit/providertest"
)

const integrationsPath = "/api/organization/integrations"

// fleetAtGeotab is a provider whose vehicles are assets in every way that there is.
func fleetAtGeotab(s *stage, admin string) (g *providertest.Geotab, engine string) {
	g = providertest.NewGeotab(s.t)
	g.SetNow(s.Clock.Now)
	asset := func(name string, more object) string {
		body := object{"haas_id": name, "nickname": "The " + name, "thing_type_id": "fire"}
		for field, value := range more {
			body[field] = value
		}
		return s.ok("POST", "/api/things", admin, body)["id"].(string)
	}
	engine = asset("ENGINE-7", object{"vin_number": "1FVACWDT39HAJ3496"})
	asset("G9F021AB12CD", object{})
	asset("LADDER-7", object{"license_plate_number": "FD 7-11"})
	asset("TENDER-7", object{"vin_number": "2FVACWDT39HAJ3497"})
	asset("TENDER-8", object{"vin_number": "2FVACWDT39HAJ3497"})
	for _, d := range []providertest.Device{
		{ID: "b1", Name: "Engine 7", VIN: "1FVACWDT39HAJ3496", Serial: "G9AAAAAAAAA1", Plate: "EN 7"},
		{ID: "b2", Name: "Medic 7", Serial: "G9F021AB12CD"},
		{ID: "b3", Name: "Ladder 7", VIN: "3FVACWDT39HAJ3498", Serial: "G9AAAAAAAAA3", Plate: "FD711"},
		{ID: "b4", Name: "Tender 7", VIN: "2FVACWDT39HAJ3497", Serial: "G9AAAAAAAAA4"},
		{ID: "b5", Name: "Pickup", Serial: "G9AAAAAAAAA5"},
	} {
		g.AddDevice(d)
	}
	return g, engine
}

// playIntegrations connects accounts at providers, links their vehicles with assets, and follows how they are.
//
// spec: 1.feat.08
func playIntegrations(r *recorder, s *stage) {
	admin, viewer := s.SignIn("administrator").AccessToken, s.SignIn("viewer").AccessToken
	g, engine := fleetAtGeotab(s, admin)
	s.App.Outbound = *g.Outbound()
	is := g.Account()
	r.hide(is.Secret, "x")
	account := object{"id": "01900000-0000-7000-8000-00000000a001", "provider": "geotab", "name": "County fleet", "server": is.Server,
		"database": is.Database, "user": is.User, "secret": is.Secret, "lights": []string{"DiagnosticAux1Id"}}
	r.call(s, "empty", "GET", integrationsPath, admin, nil)
	r.call(s, "forbidden", "POST", integrationsPath, viewer, account)
	r.call(s, "forbidden", "GET", integrationsPath, viewer, nil)
	r.call(s, "validation_failed.missing", "POST", integrationsPath, admin, object{})
	r.call(s, "validation_failed", "POST", integrationsPath, admin, object{"provider": "samsara", "name": strings.Repeat("x", 101), "server": "not a host",
		"database": "x", "user": "x", "secret": " ", "lights": []string{"Beacon", "Beacon"}})
	r.call(s, "organization_not_found", "POST", integrationsPath, admin, object{"organization_id": nowhere, "provider": "samsara", "name": "X", "secret": "x"})
	made := testkit.Decode[object](r.t, r.call(s, "", "POST", integrationsPath, admin, account))["data"].(object)["id"].(string)
	r.call(s, "again", "POST", integrationsPath, admin, account)
	account["name"] = "State fleet"
	r.call(s, "conflict", "POST", integrationsPath, admin, account)
	r.call(s, "waiting", "GET", integrationsPath, admin, nil)
	one := integrationsPath + "/" + made
	r.call(s, "", "GET", one, admin, nil)
	r.call(s, "", "GET", integrationsPath+"/"+nowhere, admin, nil)
	playVehicles(r, s, admin, one, engine)
	playPolls(r, s, admin, one, g)
	playSources(r, s, admin, one, engine)
	playIntegrationEdits(r, s, admin, one)
	playWebhooks(r, s, admin)
}

// playVehicles looks up which vehicles an account has, and links one.
func playVehicles(r *recorder, s *stage, admin, one, engine string) {
	r.call(s, "", "POST", one+"/check", admin, nil)
	r.call(s, "", "POST", integrationsPath+"/"+nowhere+"/check", admin, nil)
	vehicles := one + "/vehicles"
	r.call(s, "validation_failed", "PUT", vehicles, admin, object{"vehicles": []object{{"external_id": "b1", "thing_id": engine},
		{"external_id": "b3", "thing_id": engine}, {"external_id": "b4", "thing_id": nowhere}, {"external_id": " ", "thing_id": nil}}})
	r.call(s, "validation_failed.asset", "PUT", vehicles, admin, object{"vehicles": []object{{"external_id": "b4", "thing_id": nowhere}}})
	r.call(s, "", "PUT", vehicles, admin, object{"vehicles": []object{{"external_id": "b1", "thing_id": engine}, {"external_id": "b5", "thing_id": nil}}})
	r.call(s, "", "PUT", integrationsPath+"/"+nowhere+"/vehicles", admin, object{"vehicles": []object{}})
	r.call(s, "linked", "POST", one+"/check", admin, nil)
	r.call(s, "of_integration", "GET", "/api/things/"+engine, admin, nil)
}

// playPolls lets the clock ask providers: one that answers well, one that refuses its account, one that cannot be reached.
func playPolls(r *recorder, s *stage, admin, one string, g *providertest.Geotab) {
	polled := func(wait time.Duration) {
		s.Clock.Advance(wait)
		s.must(s.App.PollIntegrations(s.t.Context()))
	}
	polled(time.Minute)
	g.Log("b1", s.Clock.Now(), 39.7391, -75.5398, 50)
	g.Log("b5", s.Clock.Now(), 39.7391, -75.5398, 50)
	g.Log("b1", s.Clock.Now().AddDate(0, 0, -40), 39.7391, -75.5398, 50)
	polled(time.Minute)
	r.call(s, "good", "GET", one, admin, nil)
	g.Fail("Get", providertest.OverLimit)
	r.call(s, "", "POST", one+"/check", admin, nil)
	g.Fail("Get", providertest.WrongShape)
	r.call(s, "", "POST", one+"/check", admin, nil)
	g.Fail("GetFeed", providertest.HTML502)
	polled(time.Minute)
	r.call(s, "failing", "GET", one, admin, nil)
	polled(time.Minute)
	truck := providertest.NewSamsara(s.t)
	r.hide(truck.Account().Secret, "x")
	other := integrationsPath + "/" + s.ok("POST", integrationsPath, admin, object{"provider": "samsara", "name": "Plows", "server": truck.Host(), "secret": truck.Account().Secret})["id"].(string)
	truck.Revoke()
	r.call(s, "", "POST", other+"/check", admin, nil)
	polled(time.Minute)
	r.call(s, "refused", "GET", other, admin, nil)
	down := s.ok("POST", integrationsPath, admin, object{"provider": "samsara", "name": "Sweepers", "secret": "x"})["id"].(string)
	open := s.App.Outbound
	s.App.Outbound = outbound.Client{Allow: open.Allow, Roots: open.Roots, Lookup: nobody}
	polled(time.Second)
	r.call(s, "", "POST", integrationsPath+"/"+down+"/check", admin, nil)
	s.App.Outbound = open
	r.call(s, "polled", "GET", integrationsPath, admin, nil)
	for _, path := range []string{other, integrationsPath + "/" + down} {
		s.Do(testkit.Request{Method: "DELETE", Path: path, Token: admin})
	}
}

// playSources shows an asset that a device and a provider report of, and makes an asset of a vehicle.
func playSources(r *recorder, s *stage, admin, one, engine string) {
	s.Do(testkit.Request{Method: "POST", Path: "/api/ingest", Token: s.Key, Body: object{"items": []object{{"type": "point", "asset": "ENGINE-7",
		"at": s.Clock.Now().Format(time.RFC3339), "lat": 39.74, "lng": -75.54}}}})
	r.call(s, "sources", "GET", "/api/things/"+engine, admin, nil)
	vehicles := one + "/vehicles"
	r.call(s, "created", "PUT", vehicles, admin, object{"vehicles": []object{{"external_id": "b5", "thing_id": "new"}}})
	r.call(s, "validation_failed.created", "PUT", vehicles, admin, object{"vehicles": []object{{"external_id": "b9", "thing_id": "new"}}})
}

// playWebhooks connects an account that takes webhooks, and sends some.
func playWebhooks(r *recorder, s *stage, admin string) {
	key := []byte("0123456789abcdef0123456789abcdef")
	r.call(s, "validation_failed.webhook", "POST", integrationsPath, admin, object{"provider": "samsara", "name": "Plows", "secret": "x", "webhook_secret": "?"})
	account := object{"id": "01900000-0000-7000-8000-00000000a002", "provider": "samsara", "name": "Plows", "secret": "x", "is_active": false,
		"webhook_secret": base64.StdEncoding.EncodeToString(key)}
	r.call(s, "webhook", "POST", integrationsPath, admin, account)
	send := func(name string, late time.Duration, key []byte, body string) {
		at := strconv.FormatInt(s.Clock.Now().Add(-late).Unix(), 10)
		sum := hmac.New(sha256.New, key)
		sum.Write([]byte("v1:" + at + ":" + body))
		r.http(s, name, testkit.Request{Method: "POST", Path: "/api/ingest/samsara/01900000-0000-7000-8000-00000000a002", Body: body,
			Headers: map[string]string{"X-Samsara-Timestamp": at, "X-Samsara-Signature": "v1=" + hex.EncodeToString(sum.Sum(nil))}})
	}
	send("", 0, key, `{"eventType":"Ping"}`)
	send("unknown", 0, key, `{"eventType":"FormSubmitted"}`)
	r.call(s, "webhook", "GET", integrationsPath+"/01900000-0000-7000-8000-00000000a002", admin, nil)
	send("", 0, []byte("another"), `{"eventType":"Ping"}`)
	send("", time.Hour, key, `{"eventType":"Ping"}`)
	send("validation_failed", 0, key, `{}`)
	send("", 0, key, `{`)
}

// playIntegrationEdits edits, pauses, undoes and deletes an account.
func playIntegrationEdits(r *recorder, s *stage, admin, one string) {
	since := s.Clock.Now().Format("2006-01-02T15:04:05.000Z")
	s.Clock.Advance(time.Second)
	r.call(s, "", "PUT", one, admin, object{"name": "County vehicles"})
	r.call(s, "validation_failed.server", "PUT", one, admin, object{"server": "other.example.org"})
	r.call(s, "", "PUT", one, admin, object{"provider": "samsara"})
	r.http(s, "", testkit.Request{Method: "PUT", Path: one, Token: admin, Body: object{"name": "X"}, Headers: map[string]string{"If-Match": `"1"`}})
	r.call(s, "", "PUT", integrationsPath+"/"+nowhere, admin, object{"name": "X"})
	r.call(s, "", "POST", one+"/fetch", admin, nil)
	r.call(s, "", "POST", integrationsPath+"/"+nowhere+"/fetch", admin, nil)
	r.call(s, "paused", "PUT", one, admin, object{"is_active": false})
	r.call(s, "validation_failed.paused", "POST", one+"/fetch", admin, nil)
	r.call(s, "", "POST", one+"/undo", admin, object{"version": 3})
	r.call(s, "conflict", "POST", one+"/undo", admin, object{"version": 3})
	r.call(s, "", "POST", integrationsPath+"/"+nowhere+"/undo", admin, object{"version": 1})
	r.call(s, "", "DELETE", one, admin, nil)
	r.call(s, "", "DELETE", integrationsPath+"/"+nowhere, admin, nil)
	r.call(s, "deleted", "POST", one+"/undo", admin, object{"version": 5})
	s.Do(testkit.Request{Method: "DELETE", Path: one, Token: admin})
	r.call(s, "since", "GET", integrationsPath+"?last_updated_timestamp="+url.QueryEscape(since), admin, nil)
}

// nobody is a name server that knows no name.
func nobody(context.Context, string) ([]netip.Addr, error) { return nil, errors.New("no such host") }
