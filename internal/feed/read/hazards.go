package read

import (
	"context"
	"errors"
	"io"
	"strings"

	"lightbar/internal/file"
	"lightbar/internal/fleet"
)

// hazardBytes is more than a file of hazards with as many rows as are taken has.
const hazardBytes = 32 << 20

// Hazards reads another publisher's points, CSV or GeoJSON as file sets, row by row (see file.ReadHazards). Its content comes from
// the reader, packed with gzip or not. Errors: *Unreadable, *fleet.Refusal, or that of the reader.
func Hazards(ctx context.Context, in io.Reader, how file.HazardFile, now fleet.Instant, visit func(*file.HazardRow)) error {
	text, _, err := open(ctx, in, Limits{Bytes: hazardBytes}.filled())
	if err != nil {
		return err
	}
	var content strings.Builder
	if _, err := io.Copy(&content, text); err != nil {
		return whyNot(err)
	}
	how.Content = content.String()
	err = file.ReadHazards(ctx, how, now, visit)
	if refusal := (*fleet.Refusal)(nil); errors.As(err, &refusal) && refusal.Code == "too_large" {
		return unreadable(TooLarge, "%s", refusal.Message)
	}
	return err
}
