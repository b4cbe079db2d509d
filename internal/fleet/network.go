package fleet

import "net/netip"

// LimitNetwork is the part of an address that limits count by: /24 or /56.
func LimitNetwork(address string) string {
	ip, err := netip.ParseAddr(address)
	if err != nil {
		return "unknown"
	}
	ip = ip.Unmap().WithZone("")
	bits := 56
	if ip.Is4() {
		bits = 24
	}
	prefix, err := ip.Prefix(bits)
	if err != nil {
		return "unknown"
	}
	return prefix.String()
}
