package geo

// Hilbert gives the place of cell (x, y) along the Hilbert curve over a square
// of 2^order cells a side, as PMTiles version 3 numbers its tiles.
func Hilbert(order uint, x, y uint64) uint64 {
	var d uint64
	for s := uint64(1) << order >> 1; s > 0; s >>= 1 {
		var rx, ry uint64
		if x&s > 0 {
			rx = 1
		}
		if y&s > 0 {
			ry = 1
		}
		d += s * s * ((3 * rx) ^ ry)
		x, y = hilbertTurn(s, x, y, rx, ry)
	}
	return d
}

func hilbertTurn(s, x, y, rx, ry uint64) (uint64, uint64) {
	if ry == 0 {
		if rx == 1 {
			x, y = s-1-x&(s-1), s-1-y&(s-1)
		}
		x, y = y, x
	}
	return x & (s - 1), y & (s - 1)
}
