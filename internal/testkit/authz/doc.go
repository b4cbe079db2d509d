// Package authz walks every operation of the API as every role with ids of the
// own, a managed, an accessed and a foreign organization in every position.
package authz
