package people

import "testing"

// spec: 9.list.08
func TestEnvironmentOfTheHost(t *testing.T) {
	for address, want := range map[string]string{"": "local", "http://localhost:8080": "local", "http://127.0.0.1:8080": "local", "http://[::1]:8080": "local",
		"https://map.local": "local", "https://dev.map.example": "dev", "https://map-dev.county.example": "dev", "https://staging.map.example": "staging",
		"https://test.map.example": "test", "https://map.county.example": "production", "https://map.county.example:8443": "production",
		"https://map.fire.gov.uk": "production-uk", "https://uk.map.example": "production-uk", "https://map.county.eu": "production-eu",
		"https://staging.map.co.uk": "staging", "https://devon.example": "production"} {
		if got := environmentOf(address); got != want {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
	}
}
