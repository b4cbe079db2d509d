package main

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

const (
	// holdsSince is the schema that has legal holds.
	holdsSince = 40
	// fullSoonDays is how early the doctor warns of a full disk.
	fullSoonDays = 90
	// largestNamed is how many kinds of data the doctor names.
	largestNamed = 3
)

// storage says what grows, and when the disk will be full. Its figures are estimates.
func (d *doctor) storage(ctx context.Context, s *store.Store, schema int64) {
	if schema < holdsSince {
		return
	}
	got, err := app.StorageOf(ctx, s, filepath.Join(d.e.common.Data, "exports"), fleet.InstantOf(d.now()))
	if err != nil {
		d.warn("storage", growthUnknown, "its growth could not be estimated: %v", err)
		return
	}
	slices.SortStableFunc(got.Kinds, func(a, b wire.StoredKind) int { return cmp.Compare(b.PerDay, a.PerDay) })
	var most []string
	for _, k := range got.Kinds[:largestNamed] {
		if k.PerDay > 0 {
			most = append(most, k.Kind+" "+sizeText(k.PerDay))
		}
	}
	text := fmt.Sprintf("the database has %s and takes about %s more a day", sizeText(got.Bytes), sizeText(got.PerDay))
	if len(most) > 0 {
		text += " (" + strings.Join(most, ", ") + ")"
	}
	switch days := got.DaysUntilFull; {
	case days != nil && *days < fullSoonDays:
		d.warn("storage", diskFullSoon,
			"%s; the disk is full in about %s: keep data for less time (limits), or give it a larger disk", text, counted(*days, "day"))
	case days != nil:
		d.say("storage", good, "%s; the disk is full in about %s", text, counted(*days, "day"))
	case got.DiskBytes > 0:
		d.say("storage", good, "%s; the disk has room for ten years", text)
	default:
		d.say("storage", good, "%s; how much room its disk has is not known here", text)
	}
}

// sizeText is a size as people read it.
func sizeText(bytes int64) string {
	for _, unit := range []struct {
		of   int64
		name string
	}{{1 << 30, "GB"}, {1 << 20, "MB"}, {1 << 10, "kB"}} {
		if bytes >= 10*unit.of {
			return fmt.Sprintf("%d %s", bytes/unit.of, unit.name)
		}
		if bytes >= unit.of {
			return fmt.Sprintf("%.1f %s", float64(bytes)/float64(unit.of), unit.name)
		}
	}
	return fmt.Sprintf("%d bytes", bytes)
}
