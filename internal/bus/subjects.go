package bus

import "encoding/hex"

// Every subject of the bus stands here.
const (
	subjectFramesOf      = "lightbar.frames."
	subjectFramesAll     = "lightbar.frames.*"
	subjectSessionEnded  = "lightbar.session.ended"
	subjectAccessChanged = "lightbar.access.changed"
)

// subjectFrames is the subject of an organization's frames: one an organization,
// never one a thing. Ids are UUIDs; anything that is not safe as one token of a
// subject travels in hexadecimal (the frame itself carries the id).
func subjectFrames(organizationID string) string {
	for i := 0; i < len(organizationID); i++ {
		c := organizationID[i]
		if (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && c != '-' {
			return subjectFramesOf + "x" + hex.EncodeToString([]byte(organizationID))
		}
	}
	if organizationID == "" {
		return subjectFramesOf + "x"
	}
	return subjectFramesOf + organizationID
}
