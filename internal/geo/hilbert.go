package geo

// hilbert gives the place of cell (x, y) along the Hilbert curve over a square
// of 2^order cells a side, as PMTiles version 3 numbers its tiles.
func hilbert(order uint, x, y uint64) uint64 {
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

// tilesBelow is the number of tiles at all zooms less than z.
func tilesBelow(z uint8) uint64 { return (uint64(1)<<(2*uint(z)) - 1) / 3 }

// tileID is the PMTiles number of a tile.
func tileID(z uint8, x, y uint32) uint64 {
	return tilesBelow(z) + hilbert(uint(z), uint64(x), uint64(y))
}

// tileOf is the inverse of tileID.
func tileOf(id uint64) (z uint8, x, y uint32) {
	for tilesBelow(z+1) <= id {
		z++
	}
	d := id - tilesBelow(z)
	var tx, ty uint64
	for s := uint64(1); s < 1<<z; s <<= 1 {
		rx := 1 & (d / 2)
		ry := 1 & (d ^ rx)
		if ry == 0 {
			if rx == 1 {
				tx, ty = s-1-tx, s-1-ty
			}
			tx, ty = ty, tx
		}
		tx += s * rx
		ty += s * ry
		d /= 4
	}
	return z, uint32(tx), uint32(ty)
}
