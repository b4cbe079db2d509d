package app

import (
	"lightbar/internal/access"
	"lightbar/internal/audit"
	"lightbar/internal/secret"
)

// What has moved into rooms of its own, under the names that the rest still uses.
type (
	Actor = access.Actor
	Reach = access.Reach
	Looks = access.Looks

	audited    = audit.Row
	AuditFault = audit.Fault
	AuditProof = audit.Proof
)

const (
	ReachNone = access.None
	ReachRead = access.Read
	ReachFull = access.Full

	ScopeIngest   = access.ScopeIngest
	ScopeRegister = access.ScopeRegister
)

var (
	superRoleID   = access.SuperRole
	roleID        = access.RoleID
	permissionsOf = access.PermissionsOf
	actorOf       = access.Of

	randomToken = secret.RandomToken
	wellFormed  = secret.WellFormed
	hashOf      = secret.Hash
	errSealed   = secret.ErrSealed
)

// AllScopes is access.AllScopes.
func AllScopes() []string { return access.AllScopes() }

// SystemActor is access.System.
func SystemActor() *Actor { return access.System() }
