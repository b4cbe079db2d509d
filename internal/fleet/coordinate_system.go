package fleet

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// CoordinateSystem reads the crs member of a document, which RFC 7946 no longer has and programs still write. ok: its positions are
// longitude and latitude of WGS 84; else name is the name of its coordinate system.
func CoordinateSystem(crs []byte) (name string, ok bool) {
	var v struct {
		Type       string `json:"type"`
		Properties struct {
			Name string          `json:"name"`
			Code json.RawMessage `json:"code"`
			Href string          `json:"href"`
		} `json:"properties"`
	}
	if len(crs) == 0 || string(crs) == "null" {
		return "", true
	}
	if json.Unmarshal(crs, &v.Properties.Name) != nil && json.Unmarshal(crs, &v) != nil {
		return "unknown", false
	}
	name = v.Properties.Name
	if code, err := strconv.Atoi(strings.Trim(string(v.Properties.Code), `" `)); name == "" && err == nil {
		name = fmt.Sprintf("EPSG:%d", code)
	}
	if name == "" {
		name = v.Properties.Href
	}
	switch word := strings.ToUpper(strings.TrimSpace(name)); {
	case word == "" && len(v.Type) == 0, strings.HasSuffix(word, "CRS84"), strings.HasSuffix(word, ":4326"), strings.HasSuffix(word, "/4326"),
		strings.HasSuffix(word, ":4979"), word == "WGS84", word == "WGS 84":
		return name, true
	case word == "":
		return "unknown", false
	}
	return name, false
}
