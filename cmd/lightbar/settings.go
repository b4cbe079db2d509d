package main

import (
	"encoding/json"

	"lightbar/internal/config"
)

// settingsOf are the values of the configuration that verbs read as settings.
func settingsOf(s *config.Server) (map[string]string, error) {
	out := s.Brand.Settings()
	if len(s.Map.Providers) > 0 {
		b, err := json.Marshal(s.Map.Providers)
		if err != nil {
			return nil, err
		}
		out["map.providers"] = string(b)
	}
	return out, nil
}
