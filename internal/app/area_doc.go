package app

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"lightbar/internal/fleet"
	"lightbar/internal/wire"
)

// shapeDigest replaces a shape in the audit rows that an import or its undo writes: a shape may be most of an area's file, and the
// audit stores its rows forever.
type shapeDigest struct {
	SHA256 string `json:"sha256"` // of the shape's text, hexadecimal
}

// digestOf returns what replaces a shape in the audit; a shape that is no longer than its digest is not replaced.
func digestOf(geometry string) wire.Geometry {
	sum := sha256.Sum256([]byte(geometry))
	text, _ := json.Marshal(shapeDigest{hex.EncodeToString(sum[:])}) // a text can always be written
	if len(geometry) <= len(text) {
		return wire.Geometry(geometry)
	}
	return text
}

// docsOfAreaFile returns the audit documents for what an import, or its undo, did to an area; old is nil if the area is new. A full
// shape is included only if the area has a different one afterward: a shape that an edit replaces is in that edit's row, and a
// deleted area keeps its shape.
func docsOfAreaFile(old, next *fleet.Area) (before, after any) {
	doc := func(x *fleet.Area) wire.Area {
		out := (*App)(nil).areaWire(x)
		out.AreaGeom = digestOf(x.Geometry)
		return out
	}
	if old != nil {
		was := doc(old)
		if old.Geometry != next.Geometry {
			was.AreaGeom = wire.Geometry(old.Geometry)
		}
		before = was
	}
	return before, doc(next)
}

// shapeBack returns the shape that an audit document contains for an area that is being restored to it. Refusal: undo_expired,
// where the document has the digest of a shape that the area does not have anymore.
func shapeBack(x *fleet.Area, said wire.Geometry) (wire.Geometry, error) {
	var digest shapeDigest
	if json.Unmarshal(said, &digest) != nil || digest.SHA256 == "" {
		return said, nil
	}
	if string(digestOf(x.Geometry)) != string(said) {
		return nil, fleet.Refuse("undo_expired", "", "Its earlier shape is no longer there.")
	}
	return wire.Geometry(x.Geometry), nil
}
