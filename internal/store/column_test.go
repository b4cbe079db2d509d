package store

import (
	"reflect"
	"strings"
	"testing"
)

// otherNames are columns whose name is not the one of their field.
var otherNames = map[string]string{
	"thing.thing_no": "No", "thing_owner.from_at": "From", "thing_owner.until_at": "Until", "mail.to_address": "To",
	"idempotency.answer": "Body", "audit_seal.row_count": "Rows", "audit_seal.previous_hash": "Previous",
	"integration.account_database": "Database", "integration.account_user": "User", "location.said_at": "ReportedAt",
	"organization_offer.told_at": "MailedAt",
}

// Two columns that have changed places are written and read alike, so nothing
// else would notice; but not what an earlier version has written.
func TestColumnsBelongToTheFieldsOfTheirNames(t *testing.T) {
	belong(t, organizations)
	belong(t, relations)
	belong(t, offers)
	belong(t, users)
	belong(t, sessions)
	belong(t, sessionTokens)
	belong(t, oneTimes)
	belong(t, passkeys)
	belong(t, totps)
	belong(t, keys)
	belong(t, things)
	belong(t, ownerships)
	belong(t, gone)
	belong(t, deviceConfigs)
	belong(t, configStates)
	belong(t, locations)
	belong(t, stays)
	belong(t, areas)
	belong(t, mails)
	belong(t, answers)
	belong(t, audits)
	belong(t, seals)
	belong(t, feedSubscriptions)
	belong(t, integrations)
}

func belong[T any](t *testing.T, of table[T]) {
	t.Helper()
	row := new(T)
	fields := map[uintptr]string{}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[T]()) {
		if !f.Anonymous {
			fields[reflect.ValueOf(row).Elem().FieldByIndex(f.Index).Addr().Pointer()] = f.Name
		}
	}
	for _, c := range of.columns(row) {
		at := c.at
		switch kept := at.(type) {
		case asText:
			continue // kept by functions
		case maybe:
			at = kept.number
		}
		want, other := otherNames[of.name+"."+c.name]
		if !other {
			want = strings.ReplaceAll(c.name, "_", "")
		}
		if field := fields[reflect.ValueOf(at).Pointer()]; !strings.EqualFold(field, want) {
			t.Errorf("column %s of %s keeps the field %s", c.name, of.name, field)
		}
	}
}
