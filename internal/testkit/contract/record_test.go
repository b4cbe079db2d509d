package contract_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"lightbar/catalog"
	"lightbar/internal/testkit"
	"lightbar/internal/testkit/contract"
)

var update = flag.Bool("update", false, "write the recordings and the baseline anew")

// recordings is where both test suites find them.
const recordings = "../../../recordings"

// recorder keeps what a real server answers, with stable text where a secret is random.
type recorder struct {
	t        *testing.T
	document *contract.Document
	files    map[string][]byte // by path below recordings
	hidden   map[string]string // random values that have no mark of their own
}

// recording is an HTTP answer as it lies on disk.
type recording struct {
	Operation string            `json:"operation"`
	Request   string            `json:"request"`
	Status    int               `json:"status"`
	Headers   map[string]string `json:"headers"`
	Body      json.RawMessage   `json:"body,omitempty"`
	Text      string            `json:"text,omitempty"` // of an answer that is not JSON
}

// told are the headers that a page or a program acts on.
var told = []string{"Content-Type", "ETag", "Retry-After", "WWW-Authenticate", "Allow", "Location", "Content-Disposition"}

// http makes a request and records the answer as recordings/http/<operation>.<name>.json.
// No name stands for ok, or for the code of the error.
func (r *recorder) http(s *stage, name string, in testkit.Request) testkit.Response {
	r.t.Helper()
	answer := s.Do(in)
	r.keepAnswer(name, in.Method, in.Path, answer)
	return answer
}

func (r *recorder) keepAnswer(name, method, path string, answer testkit.Response) {
	r.t.Helper()
	out := recording{Operation: r.operation(method, path), Request: method + " " + path, Status: answer.Status, Headers: map[string]string{}}
	for _, header := range told {
		if v := answer.Header.Get(header); v != "" {
			out.Headers[header] = v
		}
	}
	if json.Valid([]byte(answer.Text)) {
		out.Body = json.RawMessage(answer.Text)
	} else {
		out.Text = answer.Text
	}
	var failure struct{ Error string }
	_ = json.Unmarshal(out.Body, &failure)
	if _, query, led := strings.Cut(out.Headers["Location"], "?"); led && !strings.Contains(query, "origin=") {
		failure.Error = query[strings.Index(query, "=")+1:] // a visit's end: the page has the words
	}
	if code, _, _ := strings.Cut(name, "."); saysInWords(out, code) {
		failure.Error = code
	}
	switch {
	case name != "":
	case failure.Error != "":
		name = failure.Error
	default:
		name = "ok"
	}
	code, _, _ := strings.Cut(name, ".")
	if _, known := catalog.ErrorByCode(code); (failure.Error != "" && code != failure.Error) || (failure.Error == "" && known) {
		r.t.Errorf("%s is %d %s", out.Request, answer.Status, answer.Text)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(out); err != nil {
		r.t.Fatal(err)
	}
	r.keep("http/"+out.Operation+"."+name+".json", b.Bytes())
}

// saysInWords reports whether an answer is a page that says a code in the catalog's words.
func saysInWords(r recording, code string) bool {
	row, known := catalog.ErrorByCode(code)
	return known && r.Status == row.Status && strings.Contains(r.Text, row.Message)
}

// call is http with what most calls have.
func (r *recorder) call(s *stage, name, method, path, token string, body any) testkit.Response {
	r.t.Helper()
	return r.http(s, name, testkit.Request{Method: method, Path: path, Token: token, Body: body})
}

// data is the data of an answer that must be a 2xx.
func (r *recorder) data(answer testkit.Response) map[string]any {
	r.t.Helper()
	if answer.Status/100 != 2 {
		r.t.Fatalf("%d %s", answer.Status, answer.Text)
	}
	data, _ := testkit.Decode[map[string]any](r.t, answer)["data"].(map[string]any)
	return data
}

// message records a message or a frame of the stream.
func (r *recorder) message(name string, b []byte) {
	r.t.Helper()
	r.keep("stream/"+name+".json", b)
}

func (r *recorder) keep(name string, b []byte) {
	r.t.Helper()
	if r.files[name] != nil {
		r.t.Errorf("%s is recorded twice", name)
	}
	var out bytes.Buffer
	if err := json.Indent(&out, r.stable(b), "", "  "); err != nil {
		r.t.Fatalf("%s: %v\n%s", name, err, b)
	}
	r.files[name] = append(bytes.TrimSpace(out.Bytes()), '\n')
}

// operation finds an operation of the document by its method and path.
func (r *recorder) operation(method, path string) string {
	r.t.Helper()
	path, _, _ = strings.Cut(strings.TrimPrefix(path, "/api"), "?")
	paths := contract.At(r.document.Tree, "paths").(map[string]any)
	best := ""
	for template := range paths {
		pattern := "^" + regexp.MustCompile(`\\\{[^}]*\\\}`).ReplaceAllString(regexp.QuoteMeta(template), "[^/]+") + "$"
		if regexp.MustCompile(pattern).MatchString(path) && (best == "" || strings.Count(template, "{") < strings.Count(best, "{")) {
			best = template
		}
	}
	id, _ := contract.At(paths, best, strings.ToLower(method), "operationId").(string)
	if id == "" {
		return strings.ReplaceAll(strings.Trim(path, "/"), "/", "-")
	}
	return id
}

var masks = []struct {
	what *regexp.Regexp
	with func(string) string
}{
	{regexp.MustCompile(`lb_[a-z]+_[A-Za-z0-9_-]+`), func(s string) string {
		at := strings.Index(s[3:], "_") + 4
		return s[:at] + strings.Repeat("x", len(s)-at)
	}},
	{regexp.MustCompile(`127\.0\.0\.1:\d+`), func(string) string { return "127.0.0.1:8080" }},
	{regexp.MustCompile(`"(epoch|secret|challenge|file_url)": *"[^"]*"`), maskedField},
	{regexp.MustCompile(`"recovery_codes": *\[[^\]]*\]`), maskedField},
	{regexp.MustCompile(`(secret|state|nonce|code_challenge|client_id)=[A-Za-z0-9_.-]+`), func(s string) string {
		at := strings.Index(s, "=") + 1
		return s[:at] + strings.Repeat("X", len(s)-at)
	}},
}

var wordCharacter = regexp.MustCompile(`[A-Za-z0-9_-]`)

// maskedField keeps the name and the shape of a field's value. What is wrong with such a field is no secret: a sentence.
func maskedField(s string) string {
	at := strings.Index(s, ":")
	if strings.HasPrefix(s[at+1:], `"lb_`) || s[at:] == `:"Required"` || strings.HasPrefix(s, `"secret"`) && strings.Contains(s[at:], " ") {
		return s
	}
	return s[:at] + wordCharacter.ReplaceAllString(s[at:], "x")
}

// stable puts text of the same shape in the place of what is random.
func (r *recorder) stable(b []byte) []byte {
	s := string(b)
	for _, random := range slices.Sorted(maps.Keys(r.hidden)) {
		s = strings.ReplaceAll(s, random, r.hidden[random])
	}
	for _, m := range masks {
		s = m.what.ReplaceAllStringFunc(s, m.with)
	}
	return []byte(s)
}

// hide replaces a random value by letters.
func (r *recorder) hide(value, letter string) {
	r.hidden[value] = wordCharacter.ReplaceAllString(value, letter)
}

// Both suites read what this server really says: the page's tests are fed by
// these files. Where the server says something else, this test fails until the
// files are written anew (-update), and what the page makes of them is tested.
func TestRecordings(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector watches the same calls in internal/api and internal/cable")
	}
	r := &recorder{t: t, files: map[string][]byte{}, hidden: map[string]string{}}
	for _, play := range []struct {
		name string
		run  func(*recorder, *stage)
	}{
		{"sign-in", playSignIn}, {"links", playLinks}, {"factors", playFactors}, {"passkeys", playPasskeys}, {"provider", playProvider},
		{"users", playUsers}, {"organizations", playOrganizations}, {"keys", playKeys}, {"retention", playRetention}, {"status", playStatus}, {"assets", playAssets}, {"imports", playImports}, {"user imports", playUserImports}, {"areas", playAreas}, {"stations", playStations},
		{"ingest", playIngest}, {"incidents", playIncidents}, {"audit", playAudit}, {"stream", playStream}, {"borders", playBorders}, {"faults", playFaults},
		{"refusals", playRefusals}, {"events", playEvents}, {"hazards", playHazards}, {"map", playMap}, {"zones", playZones}, {"subscriptions", playSubscriptions}, {"changes", playChanges},
		{"closures", playClosures}, {"trips", playTrips}, {"exports", playExports}, {"commands", playCommands}, {"integrations", playIntegrations}, {"watchdog", playWatchdog}, {"drivers", playDrivers}, {"reports", playReports},
	} {
		t.Run(play.name, func(t *testing.T) {
			r.t = t
			s := newStage(t)
			r.document = contract.Read(t, []byte(s.Get("/api/openapi.json", "").Text))
			play.run(r, s)
		})
	}
	if t.Failed() {
		return
	}
	onDisk := recorded(t)
	if *update {
		for name := range onDisk {
			if r.files[name] == nil {
				must(t, os.Remove(filepath.Join(recordings, name)))
			}
		}
		for name, b := range r.files {
			path := filepath.Join(recordings, name)
			must(t, os.MkdirAll(filepath.Dir(path), 0o755))
			must(t, os.WriteFile(path, b, 0o644))
		}
		return
	}
	for name := range onDisk {
		if r.files[name] == nil {
			t.Errorf("recordings/%s is not made any more (-update removes it)", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.files)) {
		if got, want := string(r.files[name]), string(onDisk[name]); got != want {
			t.Errorf("recordings/%s is otherwise (-update writes it anew):\n%s", name, firstDifference(want, got))
		}
	}
}

// recorded are the files on disk, by their path below recordings.
func recorded(t *testing.T) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	files, err := filepath.Glob(recordings + "/*/*.json")
	must(t, err)
	for _, file := range files {
		b, err := os.ReadFile(file)
		must(t, err)
		name, err := filepath.Rel(recordings, file)
		must(t, err)
		out[filepath.ToSlash(name)] = b
	}
	return out
}

func firstDifference(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range max(len(w), len(g)) {
		a, b := "(end)", "(end)"
		if i < len(w) {
			a = w[i]
		}
		if i < len(g) {
			b = g[i]
		}
		if a != b {
			return fmt.Sprintf("line %d\nrecorded %s\nnow      %s", i+1, a, b)
		}
	}
	return ""
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// redirect records where a visit to a provider ends.
func (r *recorder) redirect(name string, answer testkit.Response) {
	r.t.Helper()
	r.keepAnswer(name, "GET", "/api/sso/city/callback", answer)
}
