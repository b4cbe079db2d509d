package app

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"lightbar/internal/fleet"
	"lightbar/internal/wire"
)

// shapeDigest stands for a shape in rows of the audit that an import or its undo
// leaves: an area's shape may be most of its file, and the audit keeps its rows for ever.
type shapeDigest struct {
	SHA256 string `json:"sha256"` // of the shape's text, hexadecimal
}

// digestOf is what stands for a shape; a shape that is no longer than that stands for itself.
func digestOf(geometry string) wire.Geometry {
	sum := sha256.Sum256([]byte(geometry))
	text, _ := json.Marshal(shapeDigest{hex.EncodeToString(sum[:])}) // a text can always be written
	if len(geometry) <= len(text) {
		return wire.Geometry(geometry)
	}
	return text
}

// docsOfAreaFile are the documents of the audit of what a file, or its undo, made
// of an area: old is nil of a new one. A shape is there as a whole only where the
// area has another from then on: what an edit replaces, that edit's row has, and
// a deleted area keeps its shape.
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

// shapeBack is the shape that a document of the audit says of an area that is brought back to it.
// Refusal: undo_expired, where the document has the digest of a shape that the area does not have anymore.
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
