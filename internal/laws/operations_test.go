package laws

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The guide shows the unit that the package installs, and its scripts know the paths that the unit and the settings name.
func TestTheGuideShowsTheUnitOfThePackage(t *testing.T) {
	read := func(name string) string {
		b, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	unit := read("packaging/lightbar.service")
	if guide := read("docs/operations.md"); !strings.Contains(guide, "```ini\n"+unit+"```\n") {
		t.Error("docs/operations.md, As a service: the unit shown is not packaging/lightbar.service")
	}
	for _, line := range []string{"ExecStart=/usr/bin/lightbar serve --config /etc/lightbar/lightbar.json", "User=lightbar", "StateDirectory=lightbar"} {
		if !strings.Contains(unit, "\n"+line+"\n") {
			t.Errorf("packaging/lightbar.service has no line %q", line)
		}
	}
	if settings := read("packaging/lightbar.json"); !strings.Contains(settings, `"data": "/var/lib/lightbar"`) {
		t.Error("packaging/lightbar.json names another data folder than the unit's StateDirectory")
	}
}
