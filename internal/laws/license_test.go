package laws

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const (
	mit = "Permission is hereby granted, free of charge, to any person obtaining a copy of this software"
	gpl = "GNU GENERAL PUBLIC LICENSE\nVersion 3, 29 June 2007"
)

// product is a small product whose binary links one Go module and whose web
// app ships one package, under these licenses.
func product(t *testing.T, goLicense, npmLicense string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":                "module product\n\ngo 1.26\n\nrequire other.example/part v1.0.0\n\nreplace other.example/part => ./part\n",
		"cmd/lightbar/main.go":  "package main\n\nimport _ \"other.example/part\"\n\nfunc main() {}\n",
		"part/go.mod":           "module other.example/part\n\ngo 1.26\n",
		"part/part.go":          "package part\n",
		"part/LICENSE":          goLicense,
		"web/package-lock.json": `{"packages": {"": {}, "node_modules/shipped": {"license": "` + npmLicense + `"}, "node_modules/tool": {"license": "GPL-3.0", "dev": true}}}`,
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// make licenses passes for permissive dependencies, fails for others and names them; build tools do not count.
//
// spec: D.paper.01
func TestLicensesOfDependencies(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("SKIPPED: node is not installed, which make licenses runs on")
	}
	script, err := filepath.Abs(filepath.Join("..", "..", "scripts", "licenses.mjs"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ goLicense, npmLicense, bad string }{
		{mit, "ISC", ""}, {mit, "(MIT OR GPL-3.0)", ""}, {gpl, "MIT", "other.example/part: GPL family"},
		{mit, "GPL-3.0", "shipped: GPL-3.0"}, {mit, "MIT AND GPL-3.0", "shipped: MIT AND GPL-3.0"}, {"All rights reserved.", "MIT", "other.example/part: unknown"},
	} {
		run := exec.CommandContext(t.Context(), node, script)
		run.Dir = product(t, c.goLicense, c.npmLicense)
		run.Env = append(os.Environ(), "GOFLAGS=-mod=mod -buildvcs=false", "GOPROXY=off", "GOWORK=off")
		said, err := run.CombinedOutput()
		if (err != nil) != (c.bad != "") || !strings.Contains(string(said), c.bad) || strings.Contains(string(said), "tool:") {
			t.Errorf("%q and %q: %v\n%s", c.goLicense, c.npmLicense, err, said)
		}
	}
}

// spec: D.paper.01
func TestLicenseAndNotice(t *testing.T) {
	read := func(name string) string {
		b, err := os.ReadFile(filepath.Join("..", "..", name))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	if text := read("LICENSE"); !strings.Contains(text, "Apache License") || !strings.Contains(text, "Version 2.0, January 2004") {
		t.Error("the license is not Apache-2.0")
	}
	notice := read("NOTICE")
	// Every font that the web app ships is a package @fontsource…/name.
	fonts := 0
	for _, line := range strings.Split(read("web/package.json"), "\n") {
		name, is := strings.CutPrefix(strings.TrimSpace(line), `"@fontsource`)
		if !is {
			continue
		}
		fonts++
		_, name, _ = strings.Cut(strings.SplitN(name, `"`, 2)[0], "/")
		if !strings.Contains(strings.ToLower(strings.ReplaceAll(notice, " ", "-")), name) {
			t.Errorf("NOTICE does not name the font %s", name)
		}
	}
	if fonts == 0 {
		t.Error("no fonts found in web/package.json")
	}
	for _, data := range []string{"SIL Open Font License", "Natural Earth", "US Census Bureau", "GeoNames (CC BY 4.0", "OpenStreetMap contributors, Open Database License"} {
		if !strings.Contains(notice, data) {
			t.Errorf("NOTICE does not name %s", data)
		}
	}
}
