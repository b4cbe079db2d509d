package providertest

import (
	"encoding/json"
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

const (
	// hardCap is how many devices one Get answers, whatever is asked for.
	hardCap = 5000
	mostFed = 50_000
	// signInsPerMinute is the budget of Authenticate.
	signInsPerMinute = 10
)

// Device is one of a fake's; what is empty is said as Geotab says it: "", or "?" for the VIN.
type Device struct {
	ID, Name, VIN, Serial, Plate string
	Retired                      time.Time
	Trailer                      bool // it has no tracker of its own
}

// feedRecord is a record of a feed, in the order of versions.
type feedRecord struct {
	version int64
	value   map[string]any
}

// Geotab is a MyGeotab server; make one with NewGeotab.
type Geotab struct {
	server
	database, user, password string
	path                     string // what Authenticate answers
	sessions                 map[string]bool
	signIns                  []time.Time
	devices                  []Device
	feeds                    map[string][]feedRecord
	version                  int64
	disorder, repeat         bool
}

// NewGeotab starts a server that ends with the test.
func NewGeotab(t testing.TB) *Geotab {
	t.Helper()
	g := &Geotab{database: "exampledb", user: "user@example.com", password: "synthetic \"password\" & more",
		path: "ThisServer", sessions: map[string]bool{}, version: 0x34561f1,
		feeds: map[string][]feedRecord{"LogRecord": nil, "StatusData": nil}}
	g.start(t, g.serve)
	return g
}

// Account is what the server lets in.
func (g *Geotab) Account() provider.Account {
	return provider.Account{Server: g.Host(), Database: g.database, User: g.user, Secret: g.password}
}

// AddDevice adds a device, or replaces the one of this id.
func (g *Geotab) AddDevice(d Device) {
	g.mu.Lock()
	defer g.mu.Unlock()
	at, found := slices.BinarySearchFunc(g.devices, d.ID, func(x Device, id string) int { return byID(x.ID, id) })
	if found {
		g.devices[at] = d
		return
	}
	g.devices = slices.Insert(g.devices, at, d)
}

// byID orders ids as Geotab does: they are numbers in hexadecimal.
func byID(a, b string) int {
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	return strings.Compare(strings.ToUpper(a), strings.ToUpper(b))
}

// Replace gives a vehicle another device: the old one is retired and the new one has its name, VIN and plate.
func (g *Geotab) Replace(id, other, serial string) {
	g.mu.Lock()
	at := slices.IndexFunc(g.devices, func(d Device) bool { return d.ID == id })
	old := g.devices[at]
	next := old
	old.Retired, next.ID, next.Serial = g.now(), other, serial
	g.mu.Unlock()
	g.AddDevice(old)
	g.AddDevice(next)
}

// Log adds a position at the end of its feed. at may be any: a device that was out of reach says later where it was.
func (g *Geotab) Log(id string, at time.Time, lat, lng float64, kmh int) {
	g.add("LogRecord", shape("geotab_log_record.json", map[string]any{"device": map[string]any{"id": id}, "dateTime": stamp(at),
		"latitude": lat, "longitude": lng, "speed": kmh}))
}

// Status adds a value of a diagnostic at the end of its feed.
func (g *Geotab) Status(id, diagnostic string, at time.Time, value float64) {
	g.add("StatusData", shape("geotab_status_data.json", map[string]any{"device": map[string]any{"id": id}, "dateTime": stamp(at),
		"diagnostic": map[string]any{"id": diagnostic}, "data": value}))
}

func (g *Geotab) add(feed string, value map[string]any) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.version++
	value["id"] = fmt.Sprintf("b%X", g.version)
	if feed != "LogRecord" { // which alone has no version of its own
		value["version"] = version(g.version)
	}
	g.feeds[feed] = append(g.feeds[feed], feedRecord{g.version, value})
}

func version(n int64) string { return fmt.Sprintf("%016x", n) }

func stamp(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05.000Z") }

// EndSessions forgets who has signed in.
func (g *Geotab) EndSessions() {
	g.mu.Lock()
	defer g.mu.Unlock()
	clear(g.sessions)
}

// Revoke changes the password and ends the sessions.
func (g *Geotab) Revoke() { g.SetPassword("another") }

// SetPassword changes the password to this one, and ends the sessions.
func (g *Geotab) SetPassword(text string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.password = text
	clear(g.sessions)
}

// Redirect lets Authenticate name another server, where the account's sessions are known from then on.
func (g *Geotab) Redirect(to *Geotab) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.path, to.sessions = to.Host(), g.sessions
}

// Disorder lets answers have their records in another order.
func (g *Geotab) Disorder(on bool) { g.mu.Lock(); g.disorder = on; g.mu.Unlock() }

// Repeat lets answers have each record twice.
func (g *Geotab) Repeat(on bool) { g.mu.Lock(); g.repeat = on; g.mu.Unlock() }

type geotabCall struct {
	Method string `json:"method"`
	Params struct {
		Database    string `json:"database"`
		UserName    string `json:"userName"`
		Password    string `json:"password"`
		Credentials *struct{ Database, UserName, SessionID string }
		TypeName    string
		FromVersion *string
		Limit       *int            `json:"resultsLimit"`
		Search      json.RawMessage `json:"search"`
		Sort        *struct {
			SortBy, SortDirection string
			Offset                *string
		}
	} `json:"params"`
}

func (g *Geotab) serve(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	defer g.mu.Unlock()
	body, _ := io.ReadAll(r.Body)
	g.heard = append(g.heard, string(body))
	var call geotabCall
	w.Header().Set("X-Rate-Limit-Limit", "1m")
	w.Header().Set("X-Rate-Limit-Remaining", "59")
	w.Header().Set("X-Rate-Limit-Reset", "2026-07-21T12:00:00.0000000Z")
	if r.URL.Path != "/apiv1" || r.Method != http.MethodPost {
		html(w, http.StatusNotFound)
		return
	}
	if err := json.Unmarshal(body, &call); err != nil {
		g.refuse(w, r, "JsonSerializerException", -32700, "Cannot read the request") // constructed
		return
	}
	fault := g.arrive(call.Method, call.Method+" "+call.Params.TypeName)
	_, known := g.feeds[call.Params.TypeName]
	switch {
	case broken(w, fault) || g.faulty(w, r, fault, string(body)):
	case call.Method == "Authenticate":
		g.authenticate(w, r, &call)
	case call.Params.Credentials == nil || !g.sessions[call.Params.Credentials.SessionID] || call.Params.Credentials.Database != g.database:
		say(w, r, http.StatusOK, shape("geotab_invalid_session.json", nil))
	case call.Method == "Get" && call.Params.TypeName == "Device":
		g.get(w, r, &call, fault)
	case call.Method == "GetFeed" && known:
		g.feed(w, r, &call, fault)
	default: // the message is wrong, as it is there: the type name is not known
		g.refuse(w, r, "MissingMethodException", -32000, `The method "`+call.Method+`" could not be found.`)
	}
}

// refuse answers an error as Geotab does: with status 200.
func (g *Geotab) refuse(w http.ResponseWriter, r *http.Request, kind string, code int, message string) {
	e := whole("geotab_invalid_session.json")
	in := e["error"].(map[string]any)
	in["message"], in["code"] = message, code
	in["data"].(map[string]any)["type"] = kind
	in["errors"] = []any{map[string]any{"message": message, "name": kind}}
	say(w, r, http.StatusOK, e)
}

func (g *Geotab) faulty(w http.ResponseWriter, r *http.Request, fault Fault, body string) bool {
	switch fault {
	case OverLimit:
		w.Header().Set("Retry-After", "56")
		say(w, r, http.StatusOK, shape("geotab_over_limit.json", nil))
	case Unavailable: // constructed
		g.refuse(w, r, "DbUnavailableException", -32000, "Initializing")
	case Generic:
		g.refuse(w, r, "GenericException", -32000, "Object reference not set to an instance of an object.")
	case NewKind:
		g.refuse(w, r, "SomeNewException", -32000, "Something new")
	case Argument:
		g.refuse(w, r, "ArgumentException", -32000, "Can not sort by id. Supported sortable fields are version, date.")
	case Echo:
		g.refuse(w, r, g.password+"Exception", -32000, "Cannot do "+body)
	case NoType, NoName:
		e := whole("geotab_invalid_session.json")
		delete(e["error"].(map[string]any)["data"].(map[string]any), "type")
		if fault == NoName {
			delete(e["error"].(map[string]any), "errors")
		}
		say(w, r, http.StatusOK, e)
	default:
		return false
	}
	return true
}

func (g *Geotab) authenticate(w http.ResponseWriter, r *http.Request, call *geotabCall) {
	now := g.now()
	g.signIns = slices.DeleteFunc(g.signIns, func(at time.Time) bool { return now.Sub(at) >= time.Minute })
	if len(g.signIns) >= signInsPerMinute {
		w.Header().Set("Retry-After", strconv.Itoa(int((time.Minute-now.Sub(g.signIns[0])).Seconds())+1))
		say(w, r, http.StatusOK, shape("geotab_over_limit.json", nil))
		return
	}
	g.signIns = append(g.signIns, now)
	p := &call.Params
	if p.Database != g.database || p.UserName != g.user || p.Password != g.password {
		say(w, r, http.StatusOK, shape("geotab_bad_credentials.json", nil))
		return
	}
	session := fmt.Sprintf("SyntheticSessionId%06d", g.calls["Authenticate"])
	g.sessions[session] = true
	answer := whole("geotab_authenticate.json")
	result := answer["result"].(map[string]any)
	result["path"] = g.path
	result["credentials"] = map[string]any{"database": g.database, "sessionId": session, "userName": g.user}
	say(w, r, http.StatusOK, answer)
}

func (g *Geotab) get(w http.ResponseWriter, r *http.Request, call *geotabCall, fault Fault) {
	list, sort := g.devices, call.Params.Sort
	if sort != nil && sort.Offset != nil {
		list = list[sortedAfter(list, *sort.Offset):]
	}
	most := hardCap
	if call.Params.Limit != nil {
		most = min(most, *call.Params.Limit)
	}
	list = list[:min(len(list), most)]
	out := make([]any, 0, len(list))
	for _, d := range list {
		out = append(out, d.record())
	}
	answer := map[string]any{"result": out, "jsonrpc": "2.0"}
	switch {
	case fault == WrongShape:
		answer["result"] = map[string]any{"devices": out}
	case fault == OneSpoiled && len(out) > 0:
		out[0] = map[string]any{"id": 7, "name": "a number for an id"}
	}
	say(w, r, http.StatusOK, answer)
}

func sortedAfter(list []Device, id string) int {
	at, found := slices.BinarySearchFunc(list, id, func(d Device, id string) int { return byID(d.ID, id) })
	if found {
		at++
	}
	return at
}

func (d *Device) record() map[string]any {
	active := "2050-01-01T00:00:00.000Z"
	if !d.Retired.IsZero() {
		active = stamp(d.Retired)
	}
	vin := d.VIN
	if vin == "" {
		vin = "?"
	}
	name := "geotab_device.json"
	if d.Trailer {
		name = "geotab_trailer.json"
	}
	return shape(name, map[string]any{"id": d.ID, "name": d.Name, "vehicleIdentificationNumber": d.VIN,
		"engineVehicleIdentificationNumber": vin, "serialNumber": d.Serial, "licensePlate": d.Plate, "activeTo": active})
}

func (g *Geotab) feed(w http.ResponseWriter, r *http.Request, call *geotabCall, fault Fault) {
	p := &call.Params
	most := mostFed
	if p.Limit != nil {
		most = *p.Limit
	}
	if most > mostFed { // constructed
		g.refuse(w, r, "ArgumentException", -32000, "resultsLimit")
		return
	}
	data, to := []map[string]any{}, g.version
	if p.FromVersion != nil {
		from, err := strconv.ParseInt(*p.FromVersion, 16, 64)
		if err != nil || len(*p.FromVersion) != 16 { // constructed
			g.refuse(w, r, "ArgumentException", -32000, "fromVersion")
			return
		}
		to = from
		for _, one := range g.feeds[p.TypeName] {
			if one.version > from && len(data) < most {
				data, to = append(data, one.value), one.version
			}
		}
	}
	if g.disorder {
		data = disordered(data)
	}
	if g.repeat {
		data = twice(data)
	}
	result := map[string]any{"data": data, "toVersion": version(to)}
	switch {
	case fault == NoVersion:
		delete(result, "toVersion")
	case fault == WrongShape:
		result["data"] = map[string]any{}
	case fault == OneSpoiled && len(data) > 0:
		data[0] = map[string]any{"id": "b1", "device": "UnknownDeviceId", "dateTime": "yesterday", "latitude": "north"}
	}
	say(w, r, http.StatusOK, map[string]any{"result": result, "jsonrpc": "2.0"})
}

// Path lets Authenticate answer a text as its path.
func (g *Geotab) Path(text string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.path = text
}
