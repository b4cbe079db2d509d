package contract_test

import (
	"regexp"
	"strings"
	"time"

	"lightbar/internal/testkit"
)

// measured are the figures of storage that depend on the machine.
var measured = regexp.MustCompile(`"(\w*bytes\w*|rows|days_until_full)":(\d+|null)`)

func playRetention(r *recorder, s *stage) {
	admin := s.SignIn("administrator").AccessToken
	const holds = "/api/organization/legal_holds"
	thing := s.ok("POST", "/api/things", admin, object{"haas_id": "HA7-1", "thing_type_id": "fire", "nickname": "Engine 4"})["id"].(string)
	whole := r.data(r.call(s, "", "POST", holds, admin, object{"reason": "Case 26-1041, county attorney", "from": "2026-10-01T04:00:00.000Z", "to": "2026-10-31T04:00:00.000Z"}))
	r.call(s, "thing", "POST", holds, admin, object{"reason": "Collision on Route 40", "thing_id": thing, "ends_at": "2027-11-21T00:00:00.000Z"})
	r.call(s, "validation_failed", "POST", holds, admin, object{"reason": "", "from": "2026-10-02T04:00:00.000Z", "to": "2026-10-01T04:00:00.000Z"})
	r.call(s, "thing_not_found", "POST", holds, admin, object{"reason": "x", "thing_id": nowhere})
	r.call(s, "", "GET", "/api/organizations/"+s.Own.ID+"/retention", admin, nil)
	r.call(s, "", "GET", "/api/organizations/"+nowhere+"/retention", admin, nil)
	s.Clock.Advance(time.Minute)
	r.call(s, "", "DELETE", holds+"/"+whole["id"].(string), admin, nil)
	r.call(s, "", "DELETE", holds+"/"+nowhere, admin, nil)
	r.call(s, "", "GET", holds, admin, nil)
	for n := 0; s.Do(testkit.Request{Method: "POST", Path: holds, Token: admin, Body: object{"reason": "more"}}).Status == 201 && n < 200; n++ {
	}
	r.call(s, "", "POST", holds, admin, object{"reason": "one more"})
	r.call(s, "forbidden", "GET", holds, s.SignIn("manager").AccessToken, nil)
	super := s.SignIn("super").AccessToken
	answer := s.Do(testkit.Request{Method: "GET", Path: "/api/storage", Token: super})
	answer.Text = measured.ReplaceAllString(answer.Text, `"$1":4096`)
	r.keepAnswer("", "GET", "/api/storage", answer)
	answer.Text = regexp.MustCompile(`("(disk_bytes|disk_free_bytes)"):4096`).ReplaceAllString(answer.Text, "$1:0")
	answer.Text = strings.ReplaceAll(answer.Text, `"days_until_full":4096`, `"days_until_full":null`) // as with PostgreSQL, whose disk is unknown
	r.keepAnswer("elsewhere", "GET", "/api/storage", answer)
}
