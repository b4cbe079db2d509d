// Package bus carries live events and nudges between the rooms of a node and,
// for scale, between nodes. No fact lives only here: it may be wiped at any moment.
package bus

import "lightbar/internal/fleet"

// Bus takes committed events and hands out frames.
type Bus struct{}

// Publish takes events after their commit. It never blocks on readers.
func (b *Bus) Publish(events []fleet.Event) {}

// EndSession tells every node that a session's family has ended: its sockets close.
func (b *Bus) EndSession(sessionID string) {}
