package api_test

import (
	"encoding/csv"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"lightbar/internal/access"
	"lightbar/internal/testkit"
	"lightbar/internal/wire"
)

func TestAuditByHTTP(t *testing.T) {
	w := testkit.New(t)
	admin := w.SignIn("administrator").AccessToken
	_, err := w.App.CreateUser(t.Context(), access.System(), wire.UserCreate{OrganizationID: wire.ID(w.Own.ID), Email: "formula@demo.example",
		FirstName: "=HYPERLINK(\"http://evil\")", LastName: "Line, \"break\"", RoleID: wire.ID(w.Actor("viewer").RoleID), Password: new("Str0ng&Password")})
	must(t, err)
	r := w.Do(testkit.Request{Path: "/api/audit?noun=user&verb=create&per_page=1", Token: admin})
	var list wire.List[wire.AuditEntry]
	must(t, json.Unmarshal([]byte(r.Text), &list))
	if r.Status != http.StatusOK || len(list.Data) != 1 || list.Meta.Total != 1 || list.Data[0].Actor.Kind != "system" || list.Data[0].Sealed {
		t.Fatalf("%d %s", r.Status, r.Text)
	}
	must(t, w.App.Audit.Seal(t.Context()))
	r = w.Do(testkit.Request{Path: "/api/audit/export?noun=user&verb=create", Token: admin})
	lines := strings.Split(strings.TrimSpace(r.Text), "\n")
	if len(lines) != list.Meta.Total || r.Header.Get("Content-Type") != "application/x-ndjson" || !strings.Contains(lines[0], `"sealed":true`) {
		t.Errorf("%d lines of %d, %s", len(lines), list.Meta.Total, r.Header)
	}
	r = w.Do(testkit.Request{Path: "/api/audit/export?format=csv", Token: admin})
	rows, err := csv.NewReader(strings.NewReader(r.Text)).ReadAll()
	must(t, err)
	for _, row := range rows {
		for _, cell := range row {
			if cell != "" && strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
				t.Errorf("a cell begins like a formula: %q", cell)
			}
		}
	}
	for path, want := range map[string]int{
		"/api/audit?organization_id=" + w.Foreign.ID:           http.StatusNotFound,
		"/api/audit/export?organization_id=" + w.Foreign.ID:    http.StatusNotFound,
		"/api/audit?organization_id=" + w.Accessed.ID:          http.StatusNotFound,
		"/api/audit?organization_id=none":                      http.StatusForbidden,
		"/api/audit?since=yesterday":                           http.StatusUnprocessableEntity,
		"/api/audit/export?format=xml":                         http.StatusUnprocessableEntity,
		"/api/audit/refusals":                                  http.StatusForbidden,
		"/api/audit?organization_id=" + w.Managed.ID:           http.StatusOK,
		"/api/audit?verb=" + strings.Repeat("x", 101):          http.StatusUnprocessableEntity,
		"/api/audit?noun=%27%20OR%20%27%27%3D%27&actor=%25%25": http.StatusOK,
	} {
		if r := w.Do(testkit.Request{Path: path, Token: admin}); r.Status != want || strings.Contains(r.Text, "Foreign Fleet") {
			t.Errorf("%s: %d %s", path, r.Status, r.Text)
		}
	}
	if r := w.Do(testkit.Request{Path: "/api/audit", Token: w.SignIn("manager").AccessToken}); r.Status != http.StatusForbidden {
		t.Errorf("a manager reads the audit: %d", r.Status)
	}
	w.Do(testkit.Request{Path: "/api/audit"})
	must(t, w.App.Audit.FlushRefusals(t.Context()))
	r = w.Do(testkit.Request{Path: "/api/audit/refusals", Token: w.SignIn("super").AccessToken})
	if r.Status != http.StatusOK || !strings.Contains(r.Text, `"code":"unauthorized"`) {
		t.Errorf("refusals: %d %s", r.Status, r.Text)
	}
}
