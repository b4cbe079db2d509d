// Package live is the live picture in memory: states of things and incidents,
// advanced by the laws inside the commit, written lazily, rebuilt at start.
package live

// Picture is the only mutable domain state of the process.
type Picture struct{}
