package wire

import "lightbar/internal/fleet"

// AuditActor is who did something.
type AuditActor struct {
	ID   string `json:"id"`
	Name string `json:"name" doc:"empty if it is no longer known"`
	Kind string `json:"kind" enum:"user,key,system"`
}

// AuditEntry is one mutation or sign-in event (ours).
type AuditEntry struct {
	ID             string        `json:"id"`
	At             fleet.Instant `json:"at" nullable:"false"`
	Actor          AuditActor    `json:"actor"`
	OrganizationID string        `json:"organization_id"`
	Network        string        `json:"network"`
	Verb           string        `json:"verb"`
	Noun           string        `json:"noun"`
	NounID         string        `json:"noun_id"`
	Before         any           `json:"before" doc:"null if there was nothing"`
	After          any           `json:"after" doc:"null if nothing is left"`
	RequestID      string        `json:"request_id"`
	Sealed         bool          `json:"sealed" doc:"part of the hash chain that lightbar audit verify checks"`
}

// RefusalCount is how often a network was refused with a code within a minute.
type RefusalCount struct {
	Minute  fleet.Instant `json:"minute" nullable:"false"`
	Network string        `json:"network"`
	Code    string        `json:"code"`
	Count   int64         `json:"count"`
}
