package providertest

import (
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"lightbar/internal/provider"
)

// The paths of Samsara that the fake answers, for Fail and Calls.
const (
	VehiclesPath = "/fleet/vehicles"
	FeedPath     = "/fleet/vehicles/stats/feed"
)

// Truck is a vehicle of a fake; what is empty is not said.
type Truck struct{ ID, Name, VIN, Serial, Plate string }

// reading is one value of one type of a vehicle, in the order of arrival.
type reading struct {
	vehicle, kind string
	value         map[string]any
}

// Samsara is a Samsara server; make one with NewSamsara.
type Samsara struct {
	server
	token            string
	trucks           []Truck
	readings         []reading
	page             int // readings of one answer
	forgotten        int // cursors before this reading are expired
	disorder, repeat bool
	emptyAtHead      bool
}

// NewSamsara starts a server that ends with the test.
func NewSamsara(t testing.TB) *Samsara {
	t.Helper()
	s := &Samsara{token: "samsara_api_SyntheticToken+/=0001", page: 1000}
	s.start(t, s.serve)
	return s
}

// Account is what the server lets in.
func (s *Samsara) Account() provider.Account {
	return provider.Account{Server: s.Host(), Secret: s.token}
}

// AddTruck adds a vehicle, or replaces the one of this id.
func (s *Samsara) AddTruck(v Truck) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.trucks = append(slices.DeleteFunc(s.trucks, func(x Truck) bool { return x.ID == v.ID }), v)
	slices.SortFunc(s.trucks, func(a, b Truck) int { return byID(a.ID, b.ID) })
}

// Replace gives a vehicle another id, with all else as it was.
func (s *Samsara) Replace(id, other string) {
	s.mu.Lock()
	at := slices.IndexFunc(s.trucks, func(v Truck) bool { return v.ID == id })
	next := s.trucks[at]
	s.trucks = slices.Delete(s.trucks, at, at+1)
	s.mu.Unlock()
	next.ID = other
	s.AddTruck(next)
}

// GPS adds a position at the end of the feed. at may be any: a gateway that was out of reach says later where it was.
func (s *Samsara) GPS(id string, at time.Time, lat, lng float64, heading int, mph float64) {
	gps := whole("samsara_stats.json")["gps"].([]any)[1].(map[string]any)
	gps["time"], gps["latitude"], gps["longitude"], gps["headingDegrees"], gps["speedMilesPerHour"] = stamp(at), lat, lng, heading, mph
	s.add(id, "gps", gps)
}

// Aux adds a state of an auxiliary input (1 to 13) at the end of the feed.
func (s *Samsara) Aux(id string, input int, name string, at time.Time, on bool) {
	s.add(id, "auxInput"+strconv.Itoa(input), map[string]any{"time": stamp(at), "name": name, "value": on})
}

func (s *Samsara) add(id, kind string, value map[string]any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.readings = append(s.readings, reading{id, kind, value})
}

// Revoke makes the token one that was.
func (s *Samsara) Revoke() { s.mu.Lock(); s.token = "another"; s.mu.Unlock() }

// ForgetCursors expires all cursors that were given so far.
func (s *Samsara) ForgetCursors() {
	s.mu.Lock()
	s.forgotten = len(s.readings) + 1
	s.readings = append(s.readings, reading{})
	s.mu.Unlock()
}

// Page sets how many readings an answer has at most.
func (s *Samsara) Page(n int) { s.mu.Lock(); s.page = n; s.mu.Unlock() }

// Disorder lets answers have their readings in another order.
func (s *Samsara) Disorder(on bool) { s.mu.Lock(); s.disorder = on; s.mu.Unlock() }

// Repeat lets answers have each reading twice.
func (s *Samsara) Repeat(on bool) { s.mu.Lock(); s.repeat = on; s.mu.Unlock() }

// EmptyAtHead lets the newest page of the feed have an empty cursor, as the last page of a list has.
func (s *Samsara) EmptyAtHead(on bool) { s.mu.Lock(); s.emptyAtHead = on; s.mu.Unlock() }

func (s *Samsara) serve(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.heard = append(s.heard, r.Header.Get("Authorization"))
	w.Header().Set("Request-Id", "aaaabbbb-ccccdddd")
	fault := s.arrive(r.URL.Path)
	switch {
	case broken(w, fault) || s.faulty(w, r, fault):
	case r.Header.Get("Authorization") != "Bearer "+s.token:
		s.refuse(w, r, http.StatusUnauthorized, "invalid token")
	case r.URL.Path == VehiclesPath && r.Method == http.MethodGet:
		s.vehicles(w, r, fault)
	case r.URL.Path == FeedPath && r.Method == http.MethodGet:
		s.feed(w, r, fault)
	default:
		plain(w, http.StatusNotFound, "Not Found")
	}
}

func (s *Samsara) refuse(w http.ResponseWriter, r *http.Request, code int, message string) {
	say(w, r, code, map[string]any{"message": message, "requestId": "aaaabbbb-ccccdddd"})
}

func plain(w http.ResponseWriter, code int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(code)
	_, _ = io.WriteString(w, text)
}

func (s *Samsara) faulty(w http.ResponseWriter, r *http.Request, fault Fault) bool {
	switch fault {
	case OverLimit:
		w.Header().Set("Retry-After", "0.40235")
		s.refuse(w, r, http.StatusTooManyRequests, "Exceeded rate limit.")
	case Unavailable:
		plain(w, http.StatusServiceUnavailable, "Service Temporarily Unavailable")
	case Text400:
		plain(w, http.StatusBadRequest, "rpc error: code = InvalidArgument desc = Missing parameter: vehicleId")
	case Forbidden:
		s.refuse(w, r, http.StatusForbidden, "This token does not have access to this resource.") // constructed
	case Echo:
		s.refuse(w, r, http.StatusBadRequest, "Cannot do "+r.Header.Get("Authorization")+r.URL.String())
	default:
		return false
	}
	return true
}

// cursor is a place in a list or feed, for calls with the same types.
func cursor(r *http.Request, n int) string {
	return base64.StdEncoding.EncodeToString([]byte(strconv.Itoa(n) + " " + r.URL.Query().Get("types")))
}

// position is where a cursor stands: 0 without one, -1 if it is none of this list.
func position(r *http.Request) int {
	after := r.URL.Query().Get("after")
	if after == "" {
		return 0
	}
	text, err := base64.StdEncoding.DecodeString(after)
	number, types, _ := strings.Cut(string(text), " ")
	n, bad := strconv.Atoi(number)
	if err != nil || bad != nil || types != r.URL.Query().Get("types") {
		return -1
	}
	return n
}

func (s *Samsara) vehicles(w http.ResponseWriter, r *http.Request, fault Fault) {
	most := 512
	if text := r.URL.Query().Get("limit"); text != "" {
		most, _ = strconv.Atoi(text)
	}
	at := position(r)
	switch {
	case most < 1 || most > 512:
		s.refuse(w, r, http.StatusBadRequest, fmt.Sprintf("limit must be lesser or equal than 512 but got value %d", most))
		return
	case at < 0 || at > len(s.trucks):
		s.refuse(w, r, http.StatusBadRequest, "Invalid value for parameter after: cursor") // constructed
		return
	}
	end := min(len(s.trucks), at+most)
	data := []any{}
	for _, v := range s.trucks[at:end] {
		data = append(data, v.record())
	}
	page := map[string]any{"endCursor": cursor(r, end), "hasNextPage": end < len(s.trucks)}
	if end == len(s.trucks) || fault == NoCursor {
		page["endCursor"] = ""
	}
	s.answer(w, r, data, page, fault)
}

func (s *Samsara) answer(w http.ResponseWriter, r *http.Request, data []any, page map[string]any, fault Fault) {
	answer := map[string]any{"data": data, "pagination": page}
	switch {
	case fault == NoCursor:
		page["hasNextPage"], page["endCursor"] = true, ""
	case fault == WrongShape:
		answer["data"] = map[string]any{"vehicles": data}
	case fault == OneSpoiled && len(data) > 0:
		data[0] = map[string]any{"id": 7, "gps": []any{map[string]any{"time": "yesterday", "latitude": "north"}}}
	}
	say(w, r, http.StatusOK, answer)
}

// record is a vehicle as it is listed: an unplugged one has neither VIN nor serial.
func (v *Truck) record() map[string]any {
	if v.VIN == "" && v.Serial == "" {
		return shape("samsara_vehicle_unplugged.json", map[string]any{"id": v.ID, "name": v.Name})
	}
	said := map[string]any{"id": v.ID, "name": v.Name, "vin": v.VIN, "serial": v.Serial, "licensePlate": v.Plate,
		"externalIds": map[string]any{"samsara.serial": v.Serial, "samsara.vin": v.VIN},
		"gateway":     map[string]any{"serial": v.Serial, "model": "VG34"}}
	for key, value := range said {
		if value == "" {
			said[key] = nil
		}
	}
	return shape("samsara_vehicle.json", said)
}

func (s *Samsara) feed(w http.ResponseWriter, r *http.Request, fault Fault) {
	types := strings.Split(r.URL.Query().Get("types"), ",")
	if message := wrongTypes(types); message != "" {
		s.refuse(w, r, http.StatusBadRequest, message)
		return
	}
	at := position(r)
	if at < 0 || at > len(s.readings) || at < s.forgotten && r.URL.Query().Has("after") { // constructed
		s.refuse(w, r, http.StatusBadRequest, "Invalid value for parameter after: the cursor has expired")
		return
	}
	var list []reading
	end := len(s.readings)
	if r.URL.Query().Has("after") {
		list, end = s.since(at, types)
	} else {
		list = s.lastKnown(types)
	}
	if s.disorder {
		list = disordered(list)
	}
	if s.repeat {
		list = twice(list)
	}
	page := map[string]any{"endCursor": cursor(r, end), "hasNextPage": end < len(s.readings)}
	if s.emptyAtHead && end == len(s.readings) {
		page["endCursor"] = ""
	}
	s.answer(w, r, grouped(s.trucks, list), page, fault)
}

// wrongTypes says what is wrong with a list of types.
func wrongTypes(types []string) string {
	count, together := 0, false
	for _, name := range types {
		n, err := strconv.Atoi(strings.TrimPrefix(name, "auxInput"))
		switch aux := strings.HasPrefix(name, "auxInput") && err == nil && n >= 1 && n <= 13; {
		case !aux && name != "gps" && name != "engineStates":
			return "Invalid stat type(s): " + name
		case aux && n >= 3 && n <= 10:
			together = true
		default:
			count++
		}
	}
	if together {
		count++
	}
	if count > 3 { // constructed
		return "You may list up to 3 types"
	}
	return ""
}

func (s *Samsara) since(at int, types []string) (list []reading, end int) {
	for end = at; end < len(s.readings) && len(list) < s.page; end++ {
		if slices.Contains(types, s.readings[end].kind) {
			list = append(list, s.readings[end])
		}
	}
	return list, end
}

// lastKnown is the newest reading of each vehicle and type.
func (s *Samsara) lastKnown(types []string) (out []reading) {
	newest := map[[2]string]int{}
	for i, x := range s.readings {
		if !slices.Contains(types, x.kind) {
			continue
		}
		if before, ok := newest[[2]string{x.vehicle, x.kind}]; !ok || s.readings[before].value["time"].(string) <= x.value["time"].(string) {
			newest[[2]string{x.vehicle, x.kind}] = i
		}
	}
	for i, x := range s.readings {
		if at, ok := newest[[2]string{x.vehicle, x.kind}]; ok && at == i {
			out = append(out, x)
		}
	}
	return out
}

// grouped puts readings below their vehicles; a type without a reading is absent.
func grouped(trucks []Truck, list []reading) []any {
	out, at := []any{}, map[string]map[string]any{}
	for _, x := range list {
		v := at[x.vehicle]
		if v == nil {
			v = map[string]any{"id": x.vehicle, "name": x.vehicle}
			for _, known := range trucks {
				if known.ID == x.vehicle {
					v["name"], v["externalIds"] = known.Name, map[string]any{"samsara.serial": known.Serial, "samsara.vin": known.VIN}
				}
			}
			at[x.vehicle], out = v, append(out, v)
		}
		series, _ := v[x.kind].([]any)
		v[x.kind] = append(series, x.value)
	}
	return out
}
