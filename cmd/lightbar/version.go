package main

import (
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"

	"lightbar/internal/store/engine"
)

// version is set by the build (-ldflags "-X main.version=…").
var version = "0.1.0-dev"

// build describes this binary.
type build struct {
	Version  string `json:"version"`
	Revision string `json:"revision"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
	Schema   int64  `json:"schema"`
}

func thisBuild() build {
	b := build{Version: version, Revision: "unknown", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
		Schema: engine.SchemaVersion()}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				b.Revision = s.Value
			}
		}
	}
	return b
}

type versionCmd struct {
	JSON bool `help:"Print JSON." name:"json"`
}

func (c *versionCmd) Run(e *env) error {
	b := thisBuild()
	if c.JSON {
		return json.NewEncoder(e.stdout).Encode(b)
	}
	_, err := fmt.Fprintf(e.stdout, "lightbar %s (revision %s, %s, %s, schema %d)\n", b.Version, b.Revision, b.Go, b.Platform, b.Schema)
	return err
}
