package tiles

import (
	"lightbar/internal/geo"
)

// tilesBelow is the number of tiles at all zooms less than z.
func tilesBelow(z uint8) uint64 { return (uint64(1)<<(2*uint(z)) - 1) / 3 }

// tileID is the PMTiles number of a tile.
func tileID(z uint8, x, y uint32) uint64 {
	return tilesBelow(z) + geo.Hilbert(uint(z), uint64(x), uint64(y))
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
