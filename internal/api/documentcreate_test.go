package api

import (
	"strings"
	"sync"

	"lightbar/internal/app"
)

// editedBy is the shape that edits what a shape creates, and has the same fields: ClosureWrite of ClosureCreate.
func editedBy(shape string) string {
	if noun, ok := strings.CutSuffix(shape, "Create"); ok && made()["create"+noun] != nil {
		return noun + "Write"
	}
	return shape
}

// made are the fields that creations need, by operation.
var made = sync.OnceValue(func() map[string][]string { return newServer(app.New(app.Options{}), Options{}).needs })
