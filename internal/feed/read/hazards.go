package read

import (
	"io"
	"strings"

	"lightbar/internal/fleet"
)

// hazardBytes is more than a file of hazards with as many rows as are taken has.
const hazardBytes = 32 << 20

// Hazards reads points of others, CSV or GeoJSON as file says, row by row (see
// fleet.ReadHazards). Its content is what the reader gives, packed with gzip or
// not. Errors: *Unreadable, *fleet.Refusal, or that of the reader.
func Hazards(in io.Reader, file fleet.HazardFile, now fleet.Instant, visit func(*fleet.HazardRow)) error {
	text, _, err := open(in, Limits{Bytes: hazardBytes}.filled())
	if err != nil {
		return err
	}
	var content strings.Builder
	if _, err := io.Copy(&content, text); err != nil {
		return whyNot(err)
	}
	file.Content = content.String()
	return fleet.ReadHazards(file, now, visit)
}
