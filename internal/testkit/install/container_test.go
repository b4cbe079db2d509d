package install_test

import (
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// container is what the Containerfile and compose.yaml say, without the engine that would build it.
type container struct {
	copied      map[string]string // where in the image → file of the project
	env         map[string]string
	user, state string
	entry       []string
	command     []string
	health      []string
}

// readContainer reads the lines of the Containerfile that this test can follow; continued lines are joined first.
func readContainer(t *testing.T) container {
	t.Helper()
	c := container{copied: map[string]string{}, env: map[string]string{}}
	list := func(text string) (words []string) {
		must(t, json.Unmarshal([]byte(text[strings.Index(text, "["):]), &words))
		return words
	}
	for line := range strings.Lines(strings.ReplaceAll(readRoot(t, "Containerfile"), "\\\n", " ")) {
		verb, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch verb {
		case "COPY":
			words := strings.Fields(regexp.MustCompile(`--\S+`).ReplaceAllString(rest, ""))
			to := words[len(words)-1]
			for _, from := range words[:len(words)-1] {
				if name := to; strings.HasSuffix(to, "/") {
					c.copied[name+filepath.Base(from)] = from
				} else {
					c.copied[name] = from
				}
			}
		case "ENV":
			name, value, _ := strings.Cut(rest, "=")
			c.env[name] = value
		case "USER":
			c.user = rest
		case "VOLUME":
			c.state = rest
		case "ENTRYPOINT":
			c.entry = list(rest)
		case "CMD":
			c.command = list(rest)
		case "HEALTHCHECK":
			c.health = list(rest)
		}
	}
	return c
}

func readRoot(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "..", "..", name))
	must(t, err)
	return string(b)
}

var (
	setting  = regexp.MustCompile(`(?m)^ +(LIGHTBAR_[A-Z_]+): *(.*)$`)
	standard = regexp.MustCompile(`\$\{[A-Z_]+:-([^}]*)\}`)
)

// composed are the settings that compose.yaml gives, with the defaults of what .env may say.
func composed(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, m := range setting.FindAllStringSubmatch(readRoot(t, "compose.yaml"), -1) {
		out[m[1]] = strings.Trim(standard.ReplaceAllString(strings.TrimSpace(m[2]), "$1"), `"`)
	}
	if len(out) < 4 {
		t.Fatalf("compose.yaml gives only %v", out)
	}
	return out
}

// Every file, setting, and command that the Containerfile and compose.yaml name exists, both say the same, and the container's
// command with compose's settings serves and is healthy with nothing but the image's own files.
func TestTheContainerServes(t *testing.T) {
	binary := os.Getenv("LIGHTBAR_BINARY")
	if binary == "" {
		t.Skip("SKIPPED: set LIGHTBAR_BINARY to a built bin/lightbar (make build): the container's command was NOT run")
	}
	c, given := readContainer(t), composed(t)
	ignored := readRoot(t, ".dockerignore")
	for _, from := range c.copied {
		if _, err := os.Stat(filepath.Join("..", "..", "..", from)); err != nil && from != "bin/lightbar" {
			t.Errorf("Containerfile: %v", err)
		}
		if !strings.Contains(ignored, "\n!"+from+"\n") {
			t.Errorf(".dockerignore keeps %s from the Containerfile", from)
		}
	}
	help, err := exec.Command(binary, "serve", "--help").Output()
	must(t, err)
	for _, settings := range []map[string]string{c.env, given} {
		for name := range settings {
			if !strings.Contains(string(help), "$"+name+")") && !strings.Contains(string(help), "$"+name+"\n") {
				t.Errorf("lightbar serve has no setting %s", name)
			}
		}
	}
	compose := readRoot(t, "compose.yaml")
	quoted, err := json.Marshal(append([]string{"CMD"}, c.health...))
	must(t, err)
	for _, words := range []string{strings.ReplaceAll(string(quoted), `","`, `", "`), "data:" + c.state + "\n", "127.0.0.1:8080:8080"} {
		if !strings.Contains(compose, words) {
			t.Errorf("compose.yaml does not say %s", words)
		}
	}
	major := regexp.MustCompile(`postgresql-client-(\d+)`).FindStringSubmatch(readRoot(t, "Containerfile"))
	if major == nil || !strings.Contains(compose, "postgres:"+major[1]+"-") {
		t.Errorf("pg_dump of the image (%v) is not of compose.yaml's PostgreSQL", major)
	}
	if !mayChroot() {
		t.Log("NOT root, or no chroot: the container's command was not run")
		return
	}
	serveContainer(t, binary, c, given)
}

// serveContainer runs what an engine would: the image's user, files, and settings, and the health check beside it.
func serveContainer(t *testing.T, binary string, c container, given map[string]string) {
	s := newTree(t)
	s.uid, s.gid = 900, 900
	if !strings.Contains(readRoot(t, "Containerfile"), "--uid 900 ") || c.user != "lightbar" {
		t.Errorf("the image's user is %s", c.user)
	}
	b, err := os.ReadFile(binary)
	must(t, err)
	must(t, os.MkdirAll(filepath.Dir(s.path(c.entry[0])), 0o755))
	must(t, os.WriteFile(s.path(c.entry[0]), b, 0o755))
	must(t, os.MkdirAll(s.path(c.state), 0o700))
	must(t, os.Chown(s.path(c.state), s.uid, s.gid))
	var env []string
	for _, settings := range []map[string]string{c.env, given} {
		for name, value := range settings {
			env = append(env, name+"="+value)
		}
	}
	env = append(env, "LIGHTBAR_LISTEN=0.0.0.0:0") // the only setting that is the test's: a free port
	healthy := func() error {
		cmd := exec.Command(c.health[0], c.health[1:]...)
		cmd.Env, cmd.Dir = env, "/"
		cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: s.root, Credential: &syscall.Credential{Uid: uint32(s.uid), Gid: uint32(s.gid)}}
		return cmd.Run()
	}
	if healthy() == nil {
		t.Error("healthy although nothing runs")
	}
	s.run(append(c.entry, c.command...), env, func(_, listen string) {
		if err := healthy(); err != nil {
			t.Errorf("the health check: %v", err)
		}
		if status, body := get(t, "http://localhost:"+listen[strings.LastIndex(listen, ":")+1:]+"/readyz"); status != http.StatusOK {
			t.Errorf("/readyz: %d %s", status, body)
		}
	})
}
