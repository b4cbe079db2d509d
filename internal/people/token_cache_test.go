package people

import (
	"slices"
	"strconv"
	"testing"
	"time"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/fleet"
)

// What was looked up before a session was ended must not be trusted after it,
// however late the look-up's answer comes.
func TestALookUpThatBeganBeforeTheEndIsNotTrusted(t *testing.T) {
	const now = fleet.Instant(1_800_000_000_000)
	var tokens tokenCache
	v := cachedToken{actor: &access.Actor{SessionID: "s"}, loadedAt: now, expiresAt: now.Add(time.Hour)}
	began := tokens.begin()
	tokens.drop(func(a *access.Actor) bool { return a.SessionID == "s" })
	tokens.put("hash", v, began)
	if _, ok := tokens.get("hash", now); ok {
		t.Error("the old answer is trusted")
	}
	tokens.put("hash", v, tokens.begin())
	for at, want := range map[fleet.Instant]bool{now: true, now.Add(tokensTrustedFor - time.Millisecond): true, now.Add(tokensTrustedFor): false, now - 1: false} {
		if _, ok := tokens.get("hash", at); ok != want {
			t.Errorf("%v after the look-up: trusted %v", at.Sub(now), ok)
		}
	}
	if tokensTrustedFor >= 5*time.Second {
		t.Errorf("an end acts within 5 s everywhere; a look-up is trusted for %v", tokensTrustedFor)
	}
}

// However many tokens are shown, memory stays bounded.
func TestTrustIsBounded(t *testing.T) {
	const now = fleet.Instant(1_800_000_000_000)
	var tokens tokenCache
	v := cachedToken{actor: &access.Actor{SessionID: "s"}, loadedAt: now, expiresAt: now.Add(time.Hour)}
	for i := range tokensCached {
		tokens.put(strconv.Itoa(i), v, 0)
	}
	if n := len(tokens.byKey); n != tokensCached {
		t.Errorf("%d of %d are remembered", n, tokensCached)
	}
	tokens.put("one more", v, 0)
	if _, ok := tokens.get("one more", now); !ok || len(tokens.byKey) > tokensCached {
		t.Errorf("%d are remembered, the newest: %v", len(tokens.byKey), ok)
	}
}

// What one session's end makes forget leaves the others.
func TestOnlyWhatMatchesIsForgotten(t *testing.T) {
	const now = fleet.Instant(1_800_000_000_000)
	var tokens tokenCache
	for _, id := range []string{"a", "b"} {
		tokens.put(id, cachedToken{actor: &access.Actor{SessionID: id}, loadedAt: now, expiresAt: now.Add(time.Hour)}, 0)
	}
	tokens.drop(func(a *access.Actor) bool { return a.SessionID == "a" })
	_, a := tokens.get("a", now)
	_, b := tokens.get("b", now)
	if a || !b {
		t.Errorf("the one that ended is trusted: %v, the other: %v", a, b)
	}
}

// To manage is to read, create, update and delete, as far as the catalog
// knows these; a role that is not known may do nothing.
//
// spec: 6.model.03
func TestManageMeansAllFour(t *testing.T) {
	manager := access.PermissionsOf(access.RoleID("manager"))
	for _, action := range []string{"manage", "create", "update", "delete"} {
		if !manager["exclusion:"+action] {
			t.Errorf("who may manage exclusions may not %s", action)
		}
	}
	known := catalog.AllPermissions().Permissions
	for _, role := range catalog.AllPermissions().Roles {
		for p := range access.PermissionsOf(role.ID) {
			if !slices.Contains(known, p) {
				t.Errorf("%s may %s, which the catalog does not know", role.Name, p)
			}
		}
	}
	if viewer := access.PermissionsOf(access.RoleID("viewer")); viewer["exclusion:create"] {
		t.Error("a viewer may create exclusions")
	}
	if n := len(access.PermissionsOf("no role")); n != 0 {
		t.Errorf("no role grants %d permissions", n)
	}
}
