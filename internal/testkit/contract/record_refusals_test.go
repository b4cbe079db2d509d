package contract_test

import "lightbar/internal/testkit"

// playRefusals shows what a page says when somebody else was faster, or when a
// file or a form is wrong: beside the plays of each noun, whose ids stay as they are.
func playRefusals(r *recorder, s *stage) {
	token := s.SignIn("administrator").AccessToken
	id := s.ok("POST", "/api/things", token, object{"haas_id": "HA7-1", "thing_type_id": "fire", "device_type": "ha7"})["id"].(string)
	for _, path := range []string{"/api/things/" + nowhere, "/api/users/" + nowhere, "/api/organization/" + nowhere} {
		r.call(s, "", "DELETE", path, token, nil)
	}
	r.call(s, "", "POST", "/api/organizations/offers/"+nowhere+"/accept", token, nil)
	r.call(s, "", "GET", "/api/things/"+nowhere+"/device_config", token, nil)
	r.call(s, "", "PUT", "/api/things/"+id+"/device_config", token, object{"model": "HA7-N", "platform": "esp32", "file_name": "ha7.bin", "heartbeat_interval": 60,
		"warning_light_pin": 4, "indicator_pin": 4, "location_type": "gps"})
	r.call(s, "", "PUT", "/api/things/"+nowhere+"/organization", token, object{"organization_id": s.Managed.ID})
	r.call(s, "", "POST", "/api/organization/things/import", token, object{"csv": "nickname\nEngine 4\n"})
	r.call(s, "", "GET", "/api/organization/things/export?org_ids[]="+s.Foreign.ID, token, nil)
	for _, next := range []string{testkit.Password, "Password#1", "short"} {
		r.call(s, "", "PUT", "/api/session/password", token, object{"current_password": testkit.Password, "password": next})
	}
}
