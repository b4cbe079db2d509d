package main

import (
	"fmt"
	"slices"
	"strings"

	"lightbar/internal/config"
	"lightbar/internal/store/engine"
)

// The states of a finding, by severity.
const (
	good  = "ok"
	warns = "warning"
	wrong = "failure"
)

// finding is one line of the doctor.
type finding struct {
	Check string `json:"check"`
	State string `json:"state"`
	Text  string `json:"text"`
	// ID names the kind of a warning. It stays the same between versions.
	ID string `json:"id,omitempty"`
	// Accepted is said of each warning: one that is accepted doesn't count for the exit code.
	Accepted *bool `json:"accepted,omitempty"`
}

// counts reports whether the exit code follows from it.
func (f finding) counts() bool { return f.Accepted == nil || !*f.Accepted }

// line is a finding as people read it.
func (f finding) line() string {
	state, text := f.State, f.Text
	if !f.counts() {
		state = "accepted"
	}
	if f.ID != "" {
		text += " [" + f.ID + "]"
	}
	return fmt.Sprintf("%-8s %-13s %s\n", state, f.Check, text)
}

// warning is the id of one kind of warning: operators name it to --accept, and their scripts read it. It never changes.
type warning string

const (
	allowHTTP           warning = "allow-http"
	portInUse           warning = "port-in-use"
	folderOpen          warning = "folder-open"
	diskLow             warning = "disk-low"
	diskSlow            warning = "disk-slow"
	diskFullSoon        warning = "disk-full-soon"
	growthUnknown       warning = "growth-unknown"
	rotationCutOff      warning = "rotation-cut-off"
	keyElsewhere        warning = "key-elsewhere"
	insecureDatabase    warning = "insecure-database"
	databaseUnchecked   warning = "database-unchecked"
	schemaEarlier       warning = "schema-earlier"
	journalLarge        warning = "journal-large"
	keysUncounted       warning = "api-keys-uncounted"
	keysEnding          warning = "api-keys-ending"
	rowsUnread          warning = "rows-unread"
	pointsUncounted     warning = "points-uncounted"
	pointsUnread        warning = "points-unread"
	noRegion            warning = "no-region"
	noRoads             warning = "no-roads"
	noPlaces            warning = "no-places"
	noSupportEmail      warning = "no-support-email"
	noSMTP              warning = "no-smtp"
	noMailFrom          warning = "no-mail-from"
	noProvider          warning = "no-provider"
	noClientSecret      warning = "no-client-secret"
	ssoUnchecked        warning = "sso-unchecked"
	acmePort            warning = "acme-port"
	acmeNone            warning = "acme-none"
	certificateKeyOpen  warning = "certificate-key-open"
	certificateUnknown  warning = "certificate-unknown"
	certificateEnding   warning = "certificate-ending"
	runFileDamaged      warning = "run-file"
	clockUnsynchronized warning = "clock-unsynchronized"
	clockUncertain      warning = "clock-uncertain"
)

// warnings are all that --accept takes.
var warnings = []warning{
	allowHTTP, portInUse, folderOpen, diskLow, diskSlow, diskFullSoon, growthUnknown, rotationCutOff, keyElsewhere, insecureDatabase,
	databaseUnchecked, schemaEarlier, journalLarge, keysUncounted, keysEnding, rowsUnread, pointsUncounted, pointsUnread, noRegion, noRoads,
	noPlaces, noSupportEmail, noSMTP, noMailFrom, noProvider, noClientSecret, ssoUnchecked, acmePort, acmeNone, certificateKeyOpen,
	certificateUnknown, certificateEnding, runFileDamaged, clockUnsynchronized, clockUncertain,
	engine.PostgresNoSync, engine.PostgresNoPages, engine.PostgresNoSums, engine.PostgresOrder,
}

// checkAccepted refuses what is the id of no warning: a slip of the pen would otherwise accept nothing, day by day.
func checkAccepted(ids []string) error {
	for _, id := range ids {
		if slices.Contains(warnings, warning(id)) {
			continue
		}
		all := make([]string, len(warnings))
		for i, w := range warnings {
			all[i] = string(w)
		}
		slices.Sort(all)
		return config.Error(fmt.Sprintf("--accept: %q is the id of no warning. The ids are %s.", id, strings.Join(all, ", ")))
	}
	return nil
}

// warn is the only way to a warning, so each has an id.
func (d *doctor) warn(check string, id warning, format string, args ...any) {
	accepted := slices.Contains(d.accepted, string(id))
	d.say(check, warns, format, args...)
	f := &d.findings[len(d.findings)-1]
	f.ID, f.Accepted = string(id), &accepted
}

// warnIf says the same thing as a warning or as good.
func (d *doctor) warnIf(is bool, check string, id warning, format string, args ...any) {
	if is {
		d.warn(check, id, format, args...)
		return
	}
	d.say(check, good, format, args...)
}
