package tiles

import (
	"encoding/binary"
	"math"

	"lightbar/internal/geo"
)

// Fields are a feature's attributes, encoded: for each a key, a kind and the
// value. Equal attributes are equal bytes.
type Fields []byte

// fieldKey numbers the attribute names of docs/map.md.
type fieldKey uint8

const (
	KeyClass fieldKey = iota
	KeyName
	KeyRef
	KeyOneway
	KeyLink
	KeyBridge
	KeyTunnel
	KeyPrivate
	KeyService
	KeyHeight
	KeyRank
	KeyPopulation
	KeyAdminLevel
	KeyMaritime
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

// Text adds a text; an empty one adds nothing.
func (f Fields) Text(k fieldKey, v string) Fields {
	if v == "" {
		return f
	}
	f = append(f, byte(k), valueText)
	f = binary.AppendUvarint(f, uint64(len(v)))
	return append(f, v...)
}

// Yes adds a true; a false adds nothing.
func (f Fields) Yes(k fieldKey, v bool) Fields {
	if !v {
		return f
	}
	return append(f, byte(k), valueTrue)
}

func (f Fields) Number(k fieldKey, v uint64) Fields {
	f = append(f, byte(k), valueNumber)
	return binary.AppendUvarint(f, v)
}

func (f Fields) Decimal(k fieldKey, v float64) Fields {
	f = append(f, byte(k), valueDecimal)
	return binary.LittleEndian.AppendUint64(f, math.Float64bits(v))
}

// cut takes the first attribute off: its key and the encoded Value message.
func (f Fields) cut(value []byte) (k fieldKey, message []byte, rest Fields) {
	k, kind := fieldKey(f[0]), f[1]
	rest = f[2:]
	switch kind {
	case valueText:
		n, size := binary.Uvarint(rest)
		end := size + int(n)
		value = append(append(value, valueText<<3|geo.WireBytes), rest[:end]...)
		rest = rest[end:]
	case valueDecimal:
		value = append(append(value, valueDecimal<<3|geo.WireFixed8), rest[:8]...)
		rest = rest[8:]
	case valueNumber:
		_, size := binary.Uvarint(rest)
		value = append(append(value, valueNumber<<3|geo.WireVarint), rest[:size]...)
		rest = rest[size:]
	case valueTrue:
		value = append(value, valueTrue<<3|geo.WireVarint, 1)
	}
	return k, value, rest
}

// Has reports whether an attribute is there.
func (f Fields) Has(key fieldKey) bool {
	for len(f) > 0 {
		k, _, rest := f.cut(nil)
		if k == key {
			return true
		}
		f = rest
	}
	return false
}

// Without leaves an attribute out.
func (f Fields) Without(key fieldKey) Fields {
	var out Fields
	for len(f) > 0 {
		k, _, rest := f.cut(nil)
		if k != key {
			out = append(out, f[:len(f)-len(rest)]...)
		}
		f = rest
	}
	return out
}
