package contract_test

import (
	"time"
)

// playTrips lets a unit drive to an incident with its lights on, stand there, and drive home, and asks what it did.
func playTrips(r *recorder, s *stage) {
	admin := s.SignIn("administrator").AccessToken
	id := s.ok("POST", "/api/things", admin, object{"haas_id": "E-9", "nickname": "Engine 9", "thing_type_id": "fire"})["id"].(string)
	from := s.Clock.Now()
	lat, mute := 39.70, false
	drive := func(steps int, mps float64, lights bool) {
		for range steps {
			s.Clock.Advance(20 * time.Second)
			lat += mps * 20 / 111_195
			point := object{"type": "point", "asset": "E-9", "at": instantOf(s.Clock.Now()), "lat": lat, "lng": -75.5484, "alerting": lights}
			if !mute {
				point["speed"], point["course"] = mps, 0
			}
			s.report(point)
		}
	}
	drive(6, 18, true)
	drive(15, 0, true) // at the incident
	s.Clock.Advance(4 * time.Minute)
	drive(6, 12, false)
	drive(8, 0, false) // a traffic light
	drive(3, 12, false)
	s.Clock.Advance(10 * time.Minute)
	mute = true // a tracker that says neither speed nor course
	drive(6, 12, false)
	admin = s.SignIn("administrator").AccessToken
	query := func(from, to time.Time) string {
		return "?start_time=" + instantOf(from) + "&end_time=" + instantOf(to) + "&run_date=" + instantOf(from)
	}
	to := s.Clock.Now()
	trips := "/api/things/" + id + "/trips"
	r.call(s, "", "GET", trips+query(from, to), admin, nil)
	r.call(s, "empty", "GET", trips+query(from.Add(-2*time.Hour), from.Add(-time.Hour)), admin, nil)
	r.call(s, "validation_failed", "GET", trips+query(to.Add(-25*time.Hour), to), admin, nil)
	r.call(s, "validation_failed.none", "GET", trips, admin, nil)
	for _, format := range []string{"gpx", "kml", "geojson"} {
		r.call(s, format, "GET", "/api/things/trips/export"+query(from, to)+"&format="+format+"&thing_ids[]="+id, admin, nil)
	}
	r.call(s, "validation_failed", "GET", "/api/things/trips/export"+query(to.Add(-25*time.Hour), to)+"&thing_ids[]="+id, admin, nil)
	r.call(s, "", "GET", "/api/things/trips/export"+query(from, to)+"&thing_ids[]="+nowhere, admin, nil)
	r.call(s, "", "GET", "/api/things/"+nowhere+"/trips"+query(from, to), admin, nil)
	r.call(s, "", "GET", "/api/things/coverage?thing_ids[]="+id, admin, nil)
	r.call(s, "empty", "GET", "/api/things/coverage?thing_ids[]="+id+"&end_time="+instantOf(from.Add(-time.Hour)), admin, nil)
	r.call(s, "", "GET", "/api/things/coverage?thing_ids[]="+nowhere, admin, nil)
	r.call(s, "", "GET", trips+query(from, to), s.SignIn("viewer").AccessToken, nil)
}

// instantOf is an instant as addresses say it.
func instantOf(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05.000Z") }
