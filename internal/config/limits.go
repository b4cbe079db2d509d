package config

import (
	"encoding/json"
	"fmt"
	"strings"

	"lightbar/catalog"
)

// Limits are numbers of the catalog that an operator sets, by their names
// there ("incident.openAfterMs"). As a flag and in the file they are an object
// of groups: {"incident": {"openAfterMs": 30000}}.
type Limits map[string]float64

// UnmarshalText reads the JSON object of a flag, a variable or the file.
func (l *Limits) UnmarshalText(b []byte) error {
	var groups map[string]map[string]float64
	if err := json.Unmarshal(b, &groups); err != nil {
		return fmt.Errorf("not a JSON object of groups of numbers: %w", err)
	}
	if err := strict(b); err != nil {
		return fmt.Errorf("not a JSON object of groups of numbers: %w", err)
	}
	out := Limits{}
	for group, entries := range groups {
		for name, value := range entries {
			out[group+"."+name] = value
		}
	}
	*l = out
	return nil
}

// check refuses names that nobody may set and values out of their bounds.
func (l Limits) check() error {
	if err := catalog.CheckLimits(l); err != nil {
		return wrong("%s%s.", strings.ToUpper(err.Error()[:1]), err.Error()[1:])
	}
	return nil
}
