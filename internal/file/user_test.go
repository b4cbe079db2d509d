package file_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"lightbar/internal/file"
	"lightbar/internal/fleet"
)

// The columns are those that the web app's template names, in any order and spelling that spreadsheets give them.
func TestUsersOfAFileAreRead(t *testing.T) {
	text, err := os.ReadFile("../../catalog/vectors/user-file.json")
	if err != nil {
		t.Fatal(err)
	}
	var said struct{ Columns []string }
	if err := json.Unmarshal(text, &said); err != nil {
		t.Fatal(err)
	}
	rows, err := file.ReadUserCSV(t.Context(), "\ufeff"+strings.Join(said.Columns, ",")+"\r\nann@county.example,Ann,Ek,Viewer\r\n")
	if err != nil || len(rows) != 1 || rows[0].Email != "ann@county.example" || rows[0].FirstName != "Ann" || rows[0].LastName != "Ek" ||
		rows[0].Role != "Viewer" || rows[0].Line != 2 || rows[0].Errors != nil {
		t.Errorf("%+v %v", rows, err)
	}
	rows, err = file.ReadUserCSV(t.Context(), "Role;Last name;E-Mail;firstname\nViewer;Ek;;Ann\nViewer;#REF!;bo@county.example;Bo\n")
	if err != nil || len(rows) != 2 || rows[0].Errors["email"] != "Required" || rows[1].Errors["last_name"] == "" {
		t.Errorf("%+v %v", rows, err)
	}
	_, err = file.ReadUserCSV(t.Context(), "name\nAnn\n")
	if err == nil || !strings.Contains(err.Error(), strings.Join(said.Columns, ", ")) {
		t.Errorf("an unknown column: %v", err)
	}
}

func FuzzReadUserCSV(f *testing.F) {
	for _, seed := range []string{"", "email\nA\n", "\ufeffE-Mail;Role\r\na@b.example;\"Vie\"\"wer\"\r\n", "email,role\n'=1\n", "email,,\nA,,b\n", "role\nA\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		rows, err := file.ReadUserCSV(context.Background(), text)
		var r *fleet.Refusal
		if err != nil && (!errors.As(err, &r) || r.Message == "" || r.Field != "csv") {
			t.Fatalf("%v is not a refusal about the file", err)
		}
		for i, row := range rows {
			if row.Line < 2 || (i > 0 && row.Line <= rows[i-1].Line) {
				t.Fatalf("line %d", row.Line)
			}
			if row.Email == "" && row.Errors["email"] == "" {
				t.Fatalf("a row without an address: %+v", row)
			}
			for _, cell := range []string{row.Email, row.FirstName, row.LastName, row.Role} {
				if slices.ContainsFunc([]rune(cell), fleet.Invisible) {
					t.Fatalf("%q", cell)
				}
			}
		}
	})
}
