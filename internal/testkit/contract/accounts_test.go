package contract_test

import (
	"fmt"
	"net/url"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/api"
	"lightbar/internal/fleet"
	"lightbar/internal/testkit"
	"lightbar/internal/testkit/tilestest"
)

func playUsers(r *recorder, s *stage) {
	b := &box{}
	s.App.Post = b
	admin := s.SignIn("administrator").AccessToken
	viewer, operator := s.Users["viewer"], s.Users["operator"]
	r.call(s, "", "GET", "/api/roles", admin, nil)
	r.call(s, "", "GET", "/api/organization/users", admin, nil)
	r.call(s, "accessed", "GET", "/api/organization/users?org_ids[]="+s.Accessed.ID, admin, nil)
	r.call(s, "forbidden", "GET", "/api/organization/users", s.SignIn("viewer").AccessToken, nil)
	invited := r.data(r.call(s, "invited", "POST", "/api/users", admin, object{"firstname": "Ida", "lastname": "Rhodes", "email": "ida@demo.example", "role_id": viewer.RoleID}))
	id := invited["id"].(string)
	r.call(s, "invited", "GET", "/api/users/"+id, admin, nil)
	s.Clock.Advance(time.Minute)
	r.call(s, "", "POST", "/api/users/"+id+"/invitation", admin, nil)
	r.call(s, "", "POST", "/api/users/"+id+"/invitation/link", admin, nil)
	user := "/api/users/" + viewer.ID
	r.call(s, "", "GET", user, admin, nil)
	r.call(s, "", "GET", "/api/users/"+nowhere, admin, nil)
	r.call(s, "", "PUT", user, admin, object{"firstname": "Vera", "phonenumber": "555 0100", "address1": "1 Main St", "city": "Elsmere", "state": "DE", "postal_code": "19805"})
	r.http(s, "", testkit.Request{Method: "PUT", Path: user, Token: admin, Body: object{"firstname": "V"}, Headers: map[string]string{"If-Match": `"1"`}})
	r.call(s, "", "PUT", "/api/users/"+nowhere, admin, object{"firstname": "X"})
	r.call(s, "", "PUT", user, admin, object{"role_id": nowhere})
	r.call(s, "validation_failed", "PUT", user, admin, object{"firstname": 7})
	r.call(s, "email_in_use", "POST", "/api/users", admin, object{"firstname": "A", "lastname": "B", "email": operator.Email, "role_id": viewer.RoleID})
	r.call(s, "own_account", "DELETE", "/api/users/"+s.Users["administrator"].ID, admin, nil)
	s.SignIn("viewer")
	r.call(s, "", "GET", user+"/sessions", admin, nil)
	r.call(s, "", "DELETE", user+"/sessions", admin, nil)
	super := s.SignIn("super").AccessToken
	s.ok("POST", "/api/ingest/assets", s.ForeignKey, object{"things": []object{{"haas_id": "F-1"}}})
	r.call(s, "last_administrator", "DELETE", "/api/users/"+s.Users["outsider"].ID, super, nil)
	r.call(s, "", "DELETE", "/api/users/"+operator.ID, admin, nil)
	for _, n := range []string{"reused", "a"} {
		r.http(s, map[string]string{"reused": "once", "a": "idempotency_key_reused"}[n], once("POST", "/api/users", admin, "k-1",
			object{"firstname": n, "lastname": "B", "email": n + "@demo.example", "role_id": viewer.RoleID}))
	}
}

func playOrganizations(r *recorder, s *stage) {
	b := &box{}
	s.App.Post = b
	admin, outsider := s.SignIn("administrator").AccessToken, s.SignIn("outsider").AccessToken
	own := "/api/organization/" + s.Own.ID
	r.call(s, "", "GET", "/api/organizations", admin, nil)
	r.call(s, "", "GET", "/api/organization/assignable", admin, nil)
	r.call(s, "", "GET", own, admin, nil)
	r.call(s, "managed", "GET", "/api/organization/"+s.Managed.ID, admin, nil)
	r.call(s, "", "GET", "/api/organization/"+s.Foreign.ID, admin, nil)
	full := object{"name": "Harbor County", "email": "office@harbor.example", "phone_number": "1", "city": "Elsmere", "state": "DE", "address1": "1 Main St",
		"postal_code": "19805", "contact_name": "Ada", "cell_phone_number": "2", "country_code": "US", "organization_type_id": "01900000-0000-7000-8000-400000000003"}
	r.call(s, "", "PUT", "/api/organization", admin, full)
	s.set("organization", s.Own.ID, "lat", 39.7447)
	s.set("organization", s.Own.ID, "lng", -75.5484)
	r.call(s, "", "PUT", own, admin, object{"event_wording": "incidents", "timezone": "America/New_York"})
	r.http(s, "", testkit.Request{Method: "PUT", Path: own, Token: admin, Body: object{"name": "X"}, Headers: map[string]string{"If-Match": `"1"`}})
	r.call(s, "organization_not_found", "PUT", "/api/organization/"+nowhere, admin, object{"name": "X"})
	r.call(s, "own_account", "DELETE", own, admin, nil)
	relations := "/api/organizations/" + s.Own.ID + "/relations"
	offer := object{"organization_id": s.Foreign.ID, "relationship_type": "accessor"}
	r.call(s, "offered", "PUT", relations, admin, offer)
	r.call(s, "offered", "GET", relations, admin, nil)
	received := testkit.Decode[struct {
		Data struct{ Offers []struct{ ID string } }
	}](r.t, r.call(s, "received", "GET", "/api/organizations/"+s.Foreign.ID+"/relations", outsider, nil)).Data.Offers
	if len(received) != 1 {
		r.t.Fatalf("%d offers", len(received))
	}
	r.call(s, "", "POST", "/api/organizations/offers/"+received[0].ID+"/accept", outsider, nil)
	r.call(s, "", "GET", relations, admin, nil)
	r.call(s, "", "PUT", relations, admin, object{"organization_id": s.Foreign.ID, "relationship_type": "delete"})
	s.ok("PUT", relations, admin, offer)
	again := testkit.Decode[struct {
		Data struct{ Offers []struct{ ID string } }
	}](r.t, s.Get(relations, admin)).Data.Offers
	r.call(s, "", "DELETE", "/api/organizations/offers/"+again[0].ID, admin, nil)
	r.call(s, "not_found", "DELETE", "/api/organizations/offers/"+again[0].ID, admin, nil)
	actor := s.Actor("administrator")
	for range 50 {
		if s.App.RelateOrganizations(s.t.Context(), actor, s.Own.ID, s.App.NewID(), "accessor") != nil {
			break
		}
	}
	r.call(s, "too_many_offers", "PUT", relations, admin, object{"organization_id": nowhere, "relationship_type": "accessor"})
	s.AddUser("left@managed.example", s.Managed.ID, "viewer")
	r.call(s, "organization_in_use", "DELETE", "/api/organization/"+s.Managed.ID, admin, nil)
	spare, err := s.App.CreateOrganization(s.t.Context(), access.System(), fleet.Organization{Name: "Spare"})
	s.must(err)
	r.call(s, "", "DELETE", "/api/organization/"+spare.ID, s.SignIn("super").AccessToken, nil)
	r.call(s, "empty", "GET", "/api/map/config", admin, nil)
	s.App.Configured = map[string]string{"map.providers": `[{"id": "sky", "title": "Sky", "map_type": "satellite", "kind": "raster", ` +
		`"url": "https://tiles.example/{z}/{x}/{y}.png", "attribution": "Sky", "max_zoom": 19}]`}
	region := s.beside(api.Options{Region: tilestest.Small(s.t), Base: tilestest.Small(s.t)})
	r.keepAnswer("", "GET", "/api/map/config", s.at(region, testkit.Request{Method: "GET", Path: "/api/map/config", Token: admin}))
}

func playKeys(r *recorder, s *stage) {
	admin := s.SignIn("administrator").AccessToken
	thing := s.ok("POST", "/api/things", admin, object{"haas_id": "HA7-1", "thing_type_id": "fire", "nickname": "Engine 4"})["id"].(string)
	key := func(name, once string, body object) testkit.Response {
		r.t.Helper()
		return r.http(s, name, testkit.Request{Method: "POST", Path: "/api/keys", Token: admin, Body: body, Headers: map[string]string{"Idempotency-Key": once}})
	}
	made := r.data(key("", "k-1", object{"description": "AVL gateway", "scopes": []string{"ingest", "register"}, "expires_at": "2027-01-01T00:00:00Z"}))
	key("", "k-1", object{"description": "AVL gateway", "scopes": []string{"ingest", "register"}, "expires_at": "2027-01-01T00:00:00Z"})
	one := r.data(key("thing", "k-2", object{"description": "One asset", "thing_id": thing}))
	s.report2(made["token"].(string), object{"type": "heartbeat", "asset": "HA7-1"})
	s.Clock.Advance(time.Minute)
	r.call(s, "", "DELETE", "/api/keys/"+one["id"].(string), admin, nil)
	r.call(s, "", "GET", "/api/keys", admin, nil)
	r.call(s, "validation_failed", "POST", "/api/keys", admin, object{"description": "x", "scopes": []string{"everything"}})
	r.call(s, "", "DELETE", "/api/keys/"+nowhere, admin, nil)
	for n := range 10 {
		if r := s.Do(once("POST", "/api/keys", admin, fmt.Sprint("more-", n), object{"description": "k"})); r.Status != 201 {
			break
		}
	}
	key("key_limit", "last", object{"description": "k"})
	r.call(s, "forbidden", "GET", "/api/keys", s.SignIn("manager").AccessToken, nil)
}

// report2 is report with another key.
func (s *stage) report2(key string, items ...object) testkit.Response {
	s.t.Helper()
	for _, item := range items {
		item["at"] = s.Clock.Now().Format("2006-01-02T15:04:05.000Z")
	}
	return s.Do(testkit.Request{Method: "POST", Path: "/api/ingest", Token: key, Body: object{"items": items}})
}

func playAudit(r *recorder, s *stage) {
	admin := s.SignIn("administrator").AccessToken
	id := s.ok("POST", "/api/things", admin, object{"haas_id": "HA7-1", "thing_type_id": "fire"})["id"].(string)
	s.Clock.Advance(time.Second)
	s.ok("PUT", "/api/things/"+id, admin, edited(object{"nickname": "Engine 4"}))
	s.Clock.Advance(time.Second)
	s.ok("DELETE", "/api/things/"+id, admin, nil)
	s.must(s.App.Audit.Seal(s.t.Context()))
	s.Clock.Advance(time.Second)
	s.ok("POST", "/api/things", admin, object{"haas_id": "HA7-2", "thing_type_id": "fire"})
	r.call(s, "", "GET", "/api/audit", admin, nil)
	r.call(s, "", "GET", "/api/audit/export", admin, nil)
	r.call(s, "csv", "GET", "/api/audit/export?format=csv", admin, nil)
	r.call(s, "validation_failed", "GET", "/api/audit?since="+url.QueryEscape("yesterday"), admin, nil)
	s.Get("/api/things/"+nowhere, "lb_at_x")
	s.must(s.App.Audit.FlushRefusals(s.t.Context()))
	r.call(s, "", "GET", "/api/audit/refusals", s.SignIn("super").AccessToken, nil)
}
