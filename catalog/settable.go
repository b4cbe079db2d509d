package catalog

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"sync/atomic"
	"time"
)

// Settable is a limit that an operator may set within the bounds that stand
// beside its value in limits.json (min, max). It is read at each use, never
// copied, so that what was set at the start holds everywhere.
type Settable struct {
	standard, min, max float64
	value              atomic.Uint64 // the bits of a float64
}

func newSettable(standard, low, high float64) *Settable {
	if standard < low || standard > high {
		panic(fmt.Sprintf("catalog: the limit %v lies outside %v and %v", standard, low, high))
	}
	s := &Settable{standard: standard, min: low, max: high}
	s.value.Store(math.Float64bits(standard))
	return s
}

// Setting returns the limit at group.name; it panics when limits.json gives it no bounds.
func Setting(group, name string) *Settable {
	s, ok := settables[group+"."+name]
	if !ok {
		panic(fmt.Sprintf("catalog: %s.%s cannot be set", group, name))
	}
	return s
}

// Float is the limit in its own unit.
func (s *Settable) Float() float64 { return math.Float64frombits(s.value.Load()) }

// Int is Float for counts.
func (s *Settable) Int() int { return int(s.Float()) }

// Duration is the limit of a name that ends in Ms.
func (s *Settable) Duration() time.Duration { return time.Duration(s.Float()) * time.Millisecond }

// CheckLimits says in one sentence what is wrong with values by group.name, nil when nothing is.
func CheckLimits(values map[string]float64) error {
	for _, name := range slices.Sorted(maps.Keys(values)) {
		s, ok := settables[name]
		if !ok {
			return fmt.Errorf("the limit %s cannot be set; these can: %v", name, slices.Sorted(maps.Keys(settables)))
		}
		if v := values[name]; v != math.Trunc(v) || v < s.min || v > s.max {
			return fmt.Errorf("the limit %s must be a whole number from %.0f to %.0f and is %v", name, s.min, s.max, v)
		}
	}
	return nil
}

// SetLimits sets the named limits and gives all others their standard; on an error it changes nothing.
func SetLimits(values map[string]float64) error {
	if err := CheckLimits(values); err != nil {
		return err
	}
	for name, s := range settables {
		v, set := values[name]
		if !set {
			v = s.standard
		}
		s.value.Store(math.Float64bits(v))
	}
	return nil
}
