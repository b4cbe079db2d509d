package geo

import (
	"encoding/binary"
	"math"
)

// fields are a feature's attributes, encoded: for each a key, a kind and the
// value. Equal attributes are equal bytes.
type fields []byte

// fieldKey numbers the attribute names of docs/map.md.
type fieldKey uint8

const (
	keyClass fieldKey = iota
	keyName
	keyRef
	keyOneway
	keyLink
	keyBridge
	keyTunnel
	keyPrivate
	keyService
	keyHeight
	keyRank
	keyPopulation
	keyAdminLevel
	keyMaritime
	keyCapital
	keyDisputed
	keyCount
)

var fieldNames = [keyCount]string{
	"class", "name", "ref", "oneway", "link", "bridge", "tunnel", "private", "service", "height", "rank", "population",
	"admin_level", "maritime", "capital", "disputed",
}

// The value kinds are the field numbers of a vector tile's Value message.
const (
	valueText    = 1
	valueDecimal = 3
	valueNumber  = 5
	valueTrue    = 7
)

// text adds a text; an empty one adds nothing.
func (f fields) text(k fieldKey, v string) fields {
	if v == "" {
		return f
	}
	f = append(f, byte(k), valueText)
	f = binary.AppendUvarint(f, uint64(len(v)))
	return append(f, v...)
}

// yes adds a true; a false adds nothing.
func (f fields) yes(k fieldKey, v bool) fields {
	if !v {
		return f
	}
	return append(f, byte(k), valueTrue)
}

func (f fields) number(k fieldKey, v uint64) fields {
	f = append(f, byte(k), valueNumber)
	return binary.AppendUvarint(f, v)
}

func (f fields) decimal(k fieldKey, v float64) fields {
	f = append(f, byte(k), valueDecimal)
	return binary.LittleEndian.AppendUint64(f, math.Float64bits(v))
}

// cut takes the first attribute off: its key and the encoded Value message.
func (f fields) cut(value []byte) (k fieldKey, message []byte, rest fields) {
	k, kind := fieldKey(f[0]), f[1]
	rest = f[2:]
	switch kind {
	case valueText:
		n, size := binary.Uvarint(rest)
		end := size + int(n)
		value = append(append(value, valueText<<3|wireBytes), rest[:end]...)
		rest = rest[end:]
	case valueDecimal:
		value = append(append(value, valueDecimal<<3|wireFixed8), rest[:8]...)
		rest = rest[8:]
	case valueNumber:
		_, size := binary.Uvarint(rest)
		value = append(append(value, valueNumber<<3|wireVarint), rest[:size]...)
		rest = rest[size:]
	case valueTrue:
		value = append(value, valueTrue<<3|wireVarint, 1)
	}
	return k, value, rest
}

// has reports whether an attribute is there.
func (f fields) has(key fieldKey) bool {
	for len(f) > 0 {
		k, _, rest := f.cut(nil)
		if k == key {
			return true
		}
		f = rest
	}
	return false
}

// without leaves an attribute out.
func (f fields) without(key fieldKey) fields {
	var out fields
	for len(f) > 0 {
		k, _, rest := f.cut(nil)
		if k != key {
			out = append(out, f[:len(f)-len(rest)]...)
		}
		f = rest
	}
	return out
}
