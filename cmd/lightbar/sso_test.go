package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lightbar/internal/store"
)

const nowhere = "01900000-0000-7000-8000-000000000000"

// doctor reads the file of identity providers as serve would, and compares it with the database.
func TestDoctorReadsTheProviders(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	town := lbOK(t, "organization", "create", "Town", "--data", data)
	twins := []string{lbOK(t, "organization", "create", "Twins", "--data", data), lbOK(t, "organization", "create", "twins", "--data", data)}
	slices.Sort(twins)
	const head = `[{"id":"city","title":"City","issuer":"https://id.example","client_id":"map","client_secret":"hush-hush","mappings":[`
	mapped := func(organization, role string) string {
		return head + `{"group":"crew","organization":"` + organization + `","role":"` + role + `"}]}]`
	}
	for _, row := range []struct {
		name, file string
		mode       os.FileMode
		code       int
		line       string
	}{
		{"a good one", mapped(town, "operator"), 0o600, 0, "ok       sign-on       provider city (https://id.example), 1 group mapped; it was not asked"},
		{"readable by others", mapped(town, "operator"), 0o644, 2, "holds secrets but others may read it (644); make it 600"},
		{"not JSON", `{"id":`, 0o600, 2, "it is not a JSON list of providers"},
		{"a field that is missing", strings.Replace(mapped(town, "operator"), `"title":"City",`, "", 1), 0o600, 2, "provider 1 (city): it has no title"},
		{"no secret", strings.Replace(mapped(town, "operator"), `"client_secret":"hush-hush",`, "", 1), 0o600, 1, "warning  sign-on       provider city has no client_secret"},
		{"nobody", `[]`, 0o600, 1, "lists no provider"},
		{"an unknown role", mapped(town, "chief"), 0o600, 2, "provider city: group crew is mapped to the role chief, which cannot be assigned"},
		{"a role nobody may give", mapped(town, "super"), 0o600, 2, "the role super, which cannot be assigned"},
		{"an unknown organization", mapped(nowhere, "operator"), 0o600, 2, "the organization " + nowhere + ", which is not there"},
		{"a name", mapped("town", "operator"), 0o600, 2, `the organization "town", which is not an id; write its id instead: ` + town},
		{"a name of two", mapped("Twins", "operator"), 0o600, 2, "which is not an id but the name of 2 organizations; write the id of the right one: " + strings.Join(twins, " or ")},
		{"a name of nobody", mapped("Village", "operator"), 0o600, 2, `the organization "Village", which is not an id; write the organization's id`},
	} {
		t.Run(row.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "sso.json")
			if err := os.WriteFile(file, []byte(row.file), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(file, row.mode); err != nil {
				t.Fatal(err)
			}
			code, out, _ := lb(t, "doctor", "--data", data, "--listen", "localhost:0", "--sso", file)
			if !strings.Contains(out, row.line) || strings.Contains(out, "hush-hush") || code < row.code || row.code == 0 && code == 2 {
				t.Errorf("exit %d, want %d with %q\n%s", code, row.code, row.line, out)
			}
		})
	}
	if code, out, _ := lb(t, "doctor", "--data", data, "--listen", "localhost:0", "--sso", filepath.Join(data, "none.json")); code != 2 || !strings.Contains(out, "none.json cannot be read") {
		t.Errorf("no file: exit %d\n%s", code, out)
	}
	onlyByProvider(t, data, town)
	if code, out, _ := lb(t, "doctor", "--data", data, "--listen", "localhost:0"); code != 2 || !strings.Contains(out, "organization Town signs in by its provider alone, and there is no --sso") {
		t.Errorf("no way in: exit %d\n%s", code, out)
	}
	file := filepath.Join(t.TempDir(), "sso.json")
	if err := os.WriteFile(file, []byte(mapped(town, "operator")), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, out, _ := lb(t, "doctor", "--data", filepath.Join(t.TempDir(), "none"), "--listen", "localhost:0", "--sso", file); code != 1 || !strings.Contains(out, "its organizations were not looked up") {
		t.Errorf("no database yet: exit %d\n%s", code, out)
	}
}

// What a name means is for every tenant to change: a start with one is refused, and says which id to write.
func TestNamesOfOrganizationsAreRefusedInMappings(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	town := lbOK(t, "organization", "create", "Town", "--data", data)
	twins := []string{lbOK(t, "organization", "create", "Twins", "--data", data), lbOK(t, "organization", "create", "TWINS", "--data", data)}
	slices.Sort(twins)
	before := digestOf(t, data)
	file := filepath.Join(t.TempDir(), "sso.json")
	refused := func(data, organization, role, words string) {
		t.Helper()
		text := `[{"id":"city","title":"City","issuer":"https://id.example","client_id":"map","mappings":[{"group":"first","organization":"` + town +
			`","role":"viewer"},{"group":"crew","organization":"` + organization + `","role":"` + role + `"}]}]`
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		want := "lightbar: The file of identity providers " + file + ": provider city: group crew is mapped to " + words + ".\n"
		if code, out, said := lb(t, "serve", "--data", data, "--listen", "localhost:0", "--sso", file); code != exitUsage || said != want || out != "" {
			t.Errorf("exit %d\n%s%swant %s", code, out, said, want)
		}
	}
	refused(data, "town", "viewer", `the organization "town", which is not an id; write its id instead: `+town)
	refused(data, "Village", "viewer", `the organization "Village", which is not an id; write the organization's id`)
	refused(data, strings.ToUpper(town), "viewer", `the organization "`+strings.ToUpper(town)+`", which is not an id; write the organization's id`)
	refused(data, town, "super", "the role super, which cannot be assigned")
	refused(filepath.Join(data, "none"), "Town", "viewer", `the organization "Town", which is not an id; write the organization's id`)
	code, _, said := lb(t, "serve", "--data", data, "--listen", "localhost:0", "--sso", file)
	if code != exitUsage || !missing(filepath.Join(data, "none")) || digestOf(t, data) != before {
		t.Errorf("exit %d %s: a refused start leaves something", code, said)
	}
	refused(data, "Twins", "viewer", `the organization "Twins", which is not an id but the name of 2 organizations; write the id of the right one: `+strings.Join(twins, " or "))
}

func onlyByProvider(t *testing.T, data, organizationID string) {
	t.Helper()
	s, err := store.Open(t.Context(), store.Options{Path: filepath.Join(data, "lightbar.db")})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Write(t.Context(), func(tx *store.Tx) error {
		_, err := tx.ExecContext(t.Context(), `UPDATE organization SET sso_only = TRUE WHERE id = $1`, organizationID)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}
