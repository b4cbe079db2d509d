package contract_test

import (
	"time"

	"lightbar/internal/testkit"
)

func playUserImports(r *recorder, s *stage) {
	b := &box{}
	s.App.Post = b
	admin := s.SignIn("administrator").AccessToken
	const path = "/api/users/import"
	load := func(name, csv, digest string) map[string]any {
		r.t.Helper()
		body := object{"csv": csv}
		if digest != "" {
			body["digest"] = digest
		}
		data, _ := testkit.Decode[object](r.t, r.call(s, name, "POST", path, admin, body))["data"].(object)
		return data
	}
	const head = "email,first_name,last_name,role\n"
	file := head + "ann@county.example,Ann,Ek,Operator\nbo@county.example,Bo,Li,Viewer\n"
	made := load("applied", file, load("", file, "")["digest"].(string))["import_id"].(string)
	s.ok("PUT", "/api/accept_invitation", "", object{"token": s.letter(b), "password": "Quiet+Marsh#4 otter"})
	load("wrong", head+"cy@county.example,Cy,,Chief\ncy@county.example,Cy,Ng,Viewer\nann@county.example,Ann,Ek,Operator\ndi@county.example,Di,Oh,Viewer\n", "")
	load("import_changed", head+"di@county.example,Di,Oh,Viewer\n", "0")
	load("validation_failed", "name\nAnn\n", "")
	undo := func(name, id string) {
		r.t.Helper()
		r.call(s, name, "POST", path+"/"+id+"/undo", admin, nil)
	}
	undo("", made)
	undo("", made)
	undo("", nowhere)
	file = head + "ed@county.example,Ed,Ox,Viewer\n"
	done := s.ok("POST", path, admin, object{"csv": file, "digest": s.ok("POST", path, admin, object{"csv": file})["digest"]})
	s.Clock.Advance(16 * time.Minute)
	admin = s.SignIn("administrator").AccessToken
	undo("import_final", done["import_id"].(string))
}
