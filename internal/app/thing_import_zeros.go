package app

import (
	"strings"

	"lightbar/internal/file"
	"lightbar/internal/fleet"
)

// noteLostZeros points out numbers that are stored here with leading zeros: spreadsheets remove those.
func (a *App) noteLostZeros(rows []file.AssetRow, things []plannedThing) {
	known := map[string]map[string]string{} // by organization and number without its zeros
	for i, p := range things {
		row := &rows[i]
		if p.next == nil {
			continue
		}
		if p.old != nil {
			before := rowOfThing(p.old)
			for _, column := range []string{"external_id", "nickname", "license_plate_number", "registry_number"} {
				if was := before.Value(column); fleet.LostZeros(row.Value(column), was) {
					row.Note(column, "It was "+was+". A spreadsheet may have taken the leading zeros away.")
				}
			}
			continue
		}
		org := p.next.OrganizationID
		if known[org] == nil {
			known[org] = a.zeroNames(org)
		}
		for column, name := range map[string]string{"haas_id": p.next.SystemName, "external_id": p.next.ExternalID} {
			if whole := known[org][name]; whole != "" {
				row.Note(column, whole+" exists. A spreadsheet may have taken the leading zeros away.")
			}
		}
	}
}

// zeroNames are an organization's names with leading zeros, by the number without them.
func (a *App) zeroNames(organizationID string) map[string]string {
	out := map[string]string{}
	for _, t := range a.Live.Owned([]string{organizationID}) {
		for _, name := range []string{t.SystemName, t.ExternalID} {
			if short := strings.TrimLeft(name, "0"); fleet.LostZeros(short, name) {
				out[short] = name
			}
		}
	}
	return out
}
