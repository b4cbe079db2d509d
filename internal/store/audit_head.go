package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"lightbar/internal/durable"
	"lightbar/internal/fleet"
	"lightbar/internal/store/engine"
)

// ReadAuditHead reads the head of the audit from its file; ErrNotFound when
// there is none. The caller must check its MAC.
func ReadAuditHead(path string) (h fleet.AuditHead, err error) {
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return h, ErrNotFound
	}
	if err != nil {
		return h, fmt.Errorf("%s cannot be read: %s", path, engine.Reason(err))
	}
	if err := json.Unmarshal(b, &h); err != nil {
		return fleet.AuditHead{}, nil // an unreadable head: its empty MAC cannot be valid
	}
	return h, nil
}

// WriteAuditHead replaces the file: after a crash it holds the old head or the new one.
func WriteAuditHead(path string, h fleet.AuditHead) error {
	b, err := json.Marshal(h)
	if err != nil {
		return err
	}
	return durable.Write(path, append(b, '\n'))
}
