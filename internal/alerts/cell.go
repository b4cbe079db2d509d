package alerts

import (
	"math"
	"slices"
	"strings"

	"lightbar/internal/feed"
	"lightbar/internal/fleet"
)

// Cell is a part of the world that is followed by its name: a geohash of five
// characters. Its sides are cellDeg long: 4.9 km from south to north, and 3.7 km from west to
// east at 40° north. So a car that follows its own cell and the eight around it knows of what is
// ahead for 3.7 km at least, and changes three cells every few minutes. Cells of four characters are 40 km wide; those of
// six would be crossed in half a minute.
type Cell uint32

const (
	cellText  = 5
	cellDeg   = 360.0 / 8192 // 13 bits of longitude, 12 of latitude
	cellDigit = "0123456789bcdefghjkmnpqrstuvwxyz"
	// cellsMost bounds the cells of one alert: published lines have 20 km at most.
	cellsMost = 64
)

// CellAt is the cell of a position.
func CellAt(lat, lng float64) Cell {
	return cellOf(int(math.Floor((lng+180)/cellDeg)), int(math.Floor((lat+90)/cellDeg)))
}

// cellOf counts from the west and from the south; the world is round from west to east.
func cellOf(x, y int) Cell {
	x, y = x&8191, min(max(y, 0), 4095)
	var out Cell
	for bit := 12; bit >= 0; bit-- { // a bit of longitude first
		out = out<<1 | Cell(x>>bit)&1
		if bit > 0 {
			out = out<<1 | Cell(y>>(bit-1))&1
		}
	}
	return out
}

// String is the geohash.
func (c Cell) String() string {
	var out [cellText]byte
	for i := range out {
		out[i] = cellDigit[c>>(5*(cellText-1-i))&31]
	}
	return string(out[:])
}

// ParseCell reads the geohash of a cell, in small letters: topics are compared letter by letter.
func ParseCell(text string) (c Cell, ok bool) {
	for i := range len(text) {
		digit := strings.IndexByte(cellDigit, text[i])
		if digit < 0 || i >= cellText {
			return 0, false
		}
		c = c<<5 | Cell(digit)
	}
	return c, len(text) == cellText
}

// cellsOf are the cells that an alert lies in, each once: of a line all that it passes, from its beginning.
func cellsOf(a *feed.Alert) (out []Cell) {
	if len(a.Line) == 0 {
		return []Cell{CellAt(a.Lat, a.Lng)}
	}
	for i, to := range a.Line {
		for _, c := range cellsBetween(a.Line[max(i-1, 0)], to) {
			if !slices.Contains(out, c) && len(out) < cellsMost {
				out = append(out, c)
			}
		}
	}
	return out
}

// cellsBetween are the cells that a straight line passes: it is cut where it crosses a side.
func cellsBetween(from, to fleet.LatLng) (out []Cell) {
	if math.Abs(to.Lng-from.Lng) > 180 { // over the date line
		return []Cell{CellAt(from.Lat, from.Lng), CellAt(to.Lat, to.Lng)}
	}
	cuts := append(crossings(from.Lng, to.Lng), crossings(from.Lat, to.Lat)...)
	slices.Sort(cuts)
	at := 0.0
	for _, cut := range append(cuts, 1) {
		middle := (at + cut) / 2
		out = append(out, CellAt(from.Lat+(to.Lat-from.Lat)*middle, from.Lng+(to.Lng-from.Lng)*middle))
		at = cut
	}
	return append(out, CellAt(to.Lat, to.Lng))
}

// crossings returns at which parts of a line it crosses sides of cells; 0 and 180 degrees are sides both.
func crossings(from, to float64) (out []float64) {
	low, high := min(from, to), max(from, to)
	for side := math.Floor(low/cellDeg) + 1; side*cellDeg < high && len(out) < cellsMost; side++ {
		out = append(out, (side*cellDeg-from)/(to-from))
	}
	return out
}
