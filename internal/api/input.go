package api

import (
	"strconv"
	"strings"

	"lightbar/internal/fleet"
)

// What operations take: parts that inputs are made of (exported, because
// reflection must set them), and the inputs that more than one operation has.
type (
	// OrganizationFilter is the parameter of lists; each id is a parameter of its own.
	OrganizationFilter struct {
		OrgIDs OrgIDs `query:"org_ids[],explode" doc:"organizations in reach; default the caller's own"`
	}
	// ChangeFilter asks for what has changed since.
	ChangeFilter struct {
		LastUpdated string `query:"last_updated_timestamp" doc:"meta.as_of of the last answer; returns rows changed since then, deleted ones with is_deleted"`
	}
	// PageFilter is the page of a list.
	PageFilter struct {
		Page    int `query:"page" minimum:"1" default:"1"`
		PerPage int `query:"per_page" minimum:"1" maximum:"500" default:"500"`
	}
	// At is the one resource of an address.
	At struct {
		ID ID `path:"id" format:"uuid"`
	}
	// Seen is the version that an edit began with.
	Seen struct {
		IfMatch string `header:"If-Match" doc:"the version that the caller has; a different one answers 409 with the current state"`
	}
	// Once is what a write is known by when it is sent again; the middleware once heeds it.
	Once struct {
		Key string `header:"Idempotency-Key" doc:"a repeat with the same key gets the same answer"`
	}

	noInput        struct{}
	orgsInput      struct{ OrganizationFilter }
	idInput        struct{ At }
	bodyOf[B any]  struct{ Body B }
	writeOf[B any] struct {
		Once
		Body B
	}
	editOf[B any] struct {
		At
		Seen
		Once
		Body B
	}
)

// What a verb is told of an input.
func nothing(in *noInput) (noInput, error)     { return *in, nil }
func byID(in *idInput) (string, error)         { return in.ID.String(), nil }
func byOrgs(in *orgsInput) ([]string, error)   { return texts(in.OrgIDs), nil }
func whole[I any](in *I) (*I, error)           { return in, nil }
func body[B any](in *bodyOf[B]) (B, error)     { return in.Body, nil }
func written[B any](in *writeOf[B]) (B, error) { return in.Body, nil }
func (f *ChangeFilter) since() (fleet.Instant, error) {
	return parseSince("last_updated_timestamp", f.LastUpdated)
}

// parseSince reads an instant of the query; nothing said is none.
func parseSince(name, text string) (fleet.Instant, error) {
	if text == "" {
		return 0, nil
	}
	at, err := fleet.ParseInstant(text)
	if err != nil {
		return 0, refuseField(name, "The time must be text such as 2026-11-21T10:42:07.250Z.")
	}
	return at, nil
}

// packedTag begins what the ETag of a compressed answer ends with ("1-c-gzip"): its bytes are others.
const packedTag = "-c"

// etagOf and parseIfMatch carry a resource's version (RFC 9110, 8.8.3 and 13.1.1).
func etagOf(version int64) string { return `"` + strconv.FormatInt(version, 10) + `"` }

func parseIfMatch(text string) (int64, error) {
	text = strings.TrimSpace(text)
	if text == "" || text == "*" {
		return 0, nil
	}
	text, _, _ = strings.Cut(strings.Trim(strings.TrimPrefix(text, "W/"), `"`), packedTag)
	version, err := strconv.ParseInt(text, 10, 64)
	if err != nil || version < 1 {
		return 0, refuseField("If-Match", "The version is the number of an ETag.")
	}
	return version, nil
}
