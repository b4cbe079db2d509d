package main

import (
	"os"
	"path/filepath"
	"testing"
)

// The least limit of a service's groups counts; in a container only the root is seen.
func TestTheLimitOfTheGroups(t *testing.T) {
	for _, c := range []struct {
		of    string
		files map[string]string
		want  int64
	}{
		{"0::/system.slice/lightbar.service\n", map[string]string{"system.slice": "900\n", "system.slice/lightbar.service": "max\n"}, 900},
		{"0::/system.slice/lightbar.service\n", map[string]string{"system.slice": "900\n", "system.slice/lightbar.service": "500\n"}, 500},
		{"0::/system.slice/lightbar.service\n", map[string]string{"system.slice": "500\n", "system.slice/lightbar.service": "900\n"}, 500},
		{"0::/\n", map[string]string{".": "300\n"}, 300},
		{"0::/../../other\n", map[string]string{".": "300\n"}, 300},
		{"0::/a\n", nil, 0},
		{"12:memory:/a\n", map[string]string{".": "300\n"}, 0}, // version 1
		{"", map[string]string{".": "300\n"}, 0},
	} {
		root := t.TempDir()
		of := filepath.Join(root, "of")
		for dir, text := range c.files {
			write(t, filepath.Join(root, dir, "memory.max"), text)
		}
		write(t, of, c.of)
		if got := groupLimit(of, root); got != c.want {
			t.Errorf("%q with %v: %d, want %d", c.of, c.files, got, c.want)
		}
	}
}

// A large fleet is collected less often, where there is room for it.
func TestTheCollectorFollowsTheFleet(t *testing.T) {
	for _, c := range []struct {
		room   int64
		assets int
		want   int
	}{
		{8 << 30, 0, leanPercent}, {8 << 30, largeFleet - 1, leanPercent}, {8 << 30, largeFleet, largePercent},
		{largeRoom - 1, 100_000, leanPercent}, {0, 100_000, leanPercent},
	} {
		if got := (collector{room: c.room}).percentOf(c.assets); got != c.want {
			t.Errorf("%d assets with room for %d: %d %%, want %d %%", c.assets, c.room, got, c.want)
		}
	}
	file := filepath.Join(t.TempDir(), "meminfo")
	write(t, file, "MemFree:  7 kB\nMemTotal:       24576 kB\n")
	if got := machineMemory(file); got != 24576<<10 {
		t.Errorf("the machine has %d bytes", got)
	}
	if got := machineMemory(file + "-none"); got != 0 {
		t.Errorf("a machine that does not say has %d bytes", got)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
