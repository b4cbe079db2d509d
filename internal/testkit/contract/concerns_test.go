package contract_test

import (
	"regexp"
	"strings"
	"time"

	"lightbar/internal/testkit"
)

// ofDisk is the concern of a machine with little disk.
var ofDisk = regexp.MustCompile(`,?\{"kind":"disk"[^}]*\}`)

func playStatus(r *recorder, s *stage) {
	admin, super := s.SignIn("administrator").AccessToken, s.SignIn("super").AccessToken
	path := "/api/organizations/" + s.Own.ID + "/status"
	s.ok("POST", "/api/things", admin, object{"haas_id": "HA7-1", "thing_type_id": "fire", "nickname": "Engine 4"})
	s.ok("POST", "/api/keys", admin, object{"organization_id": s.Own.ID, "description": "AVL gateway", "scopes": []string{"ingest"}, "expires_at": "2026-12-11T00:00:00.000Z"})
	r.call(s, "", "PUT", "/api/status/mail", admin, object{"mail": true})
	answer := s.Do(testkit.Request{Method: "GET", Path: path, Token: admin})
	r.keepAnswer("", "GET", path, answer)
	answer.Text = strings.NewReplacer(`"never_heard"`, `"silent"`, `"at":null`, `"at":"2026-10-21T10:00:00.000Z"`).Replace(answer.Text)
	r.keepAnswer("silent", "GET", path, answer)
	s.ok("PUT", "/api/organization/"+s.Own.ID, super, object{"is_wzdx_org": true})
	s.ok("POST", "/api/organization/closure", admin, object{"description": "Paving", "direction": "N", "is_active": true, "end_time": "2026-12-11T00:00:00.000Z",
		"user_route": []object{{"lat": 39.7, "lng": -75.5}, {"lat": 39.71, "lng": -75.5}}})
	s.Clock.Advance(time.Hour)
	admin, super = s.SignIn("administrator").AccessToken, s.SignIn("super").AccessToken
	r.call(s, "publishing", "GET", path, admin, nil)
	r.call(s, "", "GET", "/api/organizations/"+nowhere+"/status", admin, nil)
	answer = s.Do(testkit.Request{Method: "GET", Path: "/api/status", Token: super})
	answer.Text = ofDisk.ReplaceAllString(measured.ReplaceAllString(answer.Text, `"$1":4096`), "")
	r.keepAnswer("", "GET", "/api/status", answer)
	answer.Text = strings.NewReplacer(`"certificate_ends_at":null`, `"certificate_ends_at":"2027-03-01T00:00:00.000Z"`,
		`"backup_at":null`, `"backup_at":"2026-11-21T02:00:00.000Z"`, `"days_until_full":4096`, `"days_until_full":null`).Replace(answer.Text)
	r.keepAnswer("elsewhere", "GET", "/api/status", answer)
	r.call(s, "", "POST", "/api/status/test_mail", super, nil)
}
