// Package access represents the caller: what they may do, which organizations
// they can reach, and what they may learn about others.
package access

import (
	"maps"
	"slices"
	"sync"

	"lightbar/catalog"
	"lightbar/internal/fleet"
)

// Reach says how much of an organization an actor may touch.
type Reach uint8

// The reaches: accessed organizations are for reading only.
const (
	None Reach = iota
	Read
	Full
)

// Actor is who asks. It is passed as an argument, never hidden in a context.
type Actor struct {
	UserID         string
	SessionID      string
	KeyID          string // set for API keys instead of UserID
	OrganizationID string
	RoleID         string
	Permissions    map[string]bool
	// Organizations maps every organization in reach, the own one included.
	Organizations map[string]Reach
	// Super reaches every organization (haas:manage); each access is audited.
	Super bool
	// KeyThingID limits an API key to one asset when not empty.
	KeyThingID string
	// KeyScopes are what an API key of an organization may be used for.
	KeyScopes []string
	Network   string // where the request came from, for audit and limits
	RequestID string

	looks *Looks // set by Watched; nil = nobody watches
}

// Looks are the organizations that an actor reached by haas:manage alone.
type Looks struct {
	mu  sync.Mutex
	ids map[string]bool
}

// Watched is the actor for one request: Reach notes in looks whom it let in by
// haas:manage alone, for the audit. Others than super users need none.
func (a *Actor) Watched() (*Actor, *Looks) {
	if !a.Super || a.UserID == "" {
		return a, nil
	}
	watched := *a
	watched.looks = &Looks{ids: map[string]bool{}}
	return &watched, watched.looks
}

// IDs are the organizations that were looked at, in order; nil has none.
func (l *Looks) IDs() []string {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Sorted(maps.Keys(l.ids))
}

// Can reports whether the actor holds a permission; manage grants the four actions of its resource.
func (a *Actor) Can(permission string) bool { return a.Permissions[permission] }

// Meets reports whether the actor fulfils a requirement of catalog/permissions.json.
func (a *Actor) Meets(requirement string) bool {
	any, ok := catalog.AllPermissions().Requirements[requirement]
	if !ok {
		return false
	}
	for _, p := range any {
		if a.Permissions[p] {
			return true
		}
	}
	return len(any) == 0 && (a.UserID != "" || a.KeyID != "")
}

// Must refuses (403) an actor that does not fulfill the requirement.
func (a *Actor) Must(requirement string) error {
	if a.Meets(requirement) {
		return nil
	}
	return fleet.Refuse("forbidden", "", "Sorry, you are not currently authorized to access this page.")
}

// Reach tells how much of an organization the actor may touch. It is the one
// place where haas:manage opens an organization, so it is where looks are noted.
func (a *Actor) Reach(organizationID string) Reach {
	by := a.Organizations[organizationID]
	if !a.Super || by == Full {
		return by
	}
	if l := a.looks; l != nil && organizationID != "" {
		l.mu.Lock()
		l.ids[organizationID] = true
		l.mu.Unlock()
	}
	return Full
}

// Reachable checks a list of org_ids[]: empty means the own organization; one
// out of reach answers not_found, as if it did not exist. One that is named
// twice counts once, so that lists have each row once.
func (a *Actor) Reachable(organizationIDs []string) ([]string, error) {
	if len(organizationIDs) == 0 {
		return []string{a.OrganizationID}, nil
	}
	for _, id := range organizationIDs {
		if a.Reach(id) == None {
			return nil, fleet.Refuse("not_found", "org_ids[]", "Organization not found")
		}
	}
	if len(organizationIDs) == 1 {
		return organizationIDs, nil
	}
	once := slices.Clone(organizationIDs)
	slices.Sort(once)
	return slices.Compact(once), nil
}

// AsOneRequest is the actor with a request id: the rows of one change are found again by it.
func (a *Actor) AsOneRequest(newID func() string) *Actor {
	if a.RequestID != "" {
		return a
	}
	out := *a
	out.RequestID = newID()
	return &out
}

// MustReachFully refuses organizations the actor may not change, as if they did not exist.
func (a *Actor) MustReachFully(organizationID string) error {
	if a.Reach(organizationID) != Full {
		return fleet.Refuse("organization_not_found", "organization_id", "Organization not found")
	}
	return nil
}
