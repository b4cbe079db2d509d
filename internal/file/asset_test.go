package file_test

import (
	"context"
	"errors"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"lightbar/internal/file"
	"lightbar/internal/fleet"
	"lightbar/internal/wire"
)

func csvRefusal(t *testing.T, text string) *fleet.Refusal {
	t.Helper()
	_, err := file.ReadAssetCSV(context.Background(), text)
	var r *fleet.Refusal
	if !errors.As(err, &r) {
		t.Fatalf("%.40q: %v, want a refusal", text, err)
	}
	return r
}

func TestAssetCSVIsRefusedInWords(t *testing.T) {
	for _, c := range []struct{ name, text, code, says string }{
		{"empty", "", "validation_failed", "The file is empty. Its first line names the columns: organization_id, haas_id,"},
		{"a mark alone", "\ufeff", "validation_failed", "The file is empty."},
		{"header alone", "haas_id,nickname\r\n", "validation_failed", "The file has no rows below the header."},
		{"unknown column", "haas_id,color\nA,red\n", "validation_failed", `The column "color" is unknown. The columns are organization_id,`},
		{"no header", "E7,Engine 7\n", "validation_failed", `The column "E7" is unknown.`},
		{"column twice", "haas_id,Haas_ID\nA,B\n", "validation_failed", "The column haas_id appears twice."},
		{"column twice by another name", "haas_id,system_name\nA,B\n", "validation_failed", "The column haas_id appears twice."},
		{"no name", "nickname\nEngine\n", "validation_failed", "The column haas_id is missing"},
		{"not UTF-8", "haas_id\nM\xfcnchen\n", "validation_failed", "The file is not UTF-8 text."},
		{"UTF-16", "\xff\xfeh\x00", "validation_failed", "The file is not UTF-8 text."},
		{"open quotation in the header", "haas_id,\"nickname\nA,B\n", "validation_failed", "The first line has a misplaced quotation mark"},
		{"too many columns", "haas_id" + strings.Repeat(",", 1_000) + "\nA\n", "validation_failed", "The file has more than 1000 columns."},
		{"too many rows", "haas_id\n" + strings.Repeat("A\n", 10_001), "validation_failed", "The file has more than 10000 rows. Please split it."},
		{"too large", "haas_id\n" + strings.Repeat("x", 1<<20), "too_large", "larger than 1 MiB"},
	} {
		r := csvRefusal(t, c.text)
		if r.Code != c.code || r.Field != "csv" || !strings.Contains(r.Message, c.says) {
			t.Errorf("%s: %s %q", c.name, r.Code, r.Message)
		}
	}
	if rows, err := file.ReadAssetCSV(context.Background(), "haas_id\n"+strings.Repeat("A\n", 10_000)); err != nil || len(rows) != 10_000 {
		t.Errorf("10 000 rows: %d %v", len(rows), err)
	}
}

func TestAssetCSVRows(t *testing.T) {
	rows, err := file.ReadAssetCSV(context.Background(), "\ufeffSystem_Name, nickname ,in_service,plate\r\n"+
		"E7,\"Engine \"\"Seven\"\"\",TRUE,'=1+1\r\n"+
		"\r\n"+
		"\"two\nlines\",,,\r\n"+
		"E9,short\r\n"+
		",,maybe,\r\n"+
		" E10 ,  ,,' =x\r\n")
	if err != nil {
		t.Fatal(err)
	}
	want := []file.AssetRow{
		{Line: 2, SystemName: "E7", Nickname: `Engine "Seven"`, InService: "true", Plate: "=1+1"},
		{Line: 4, Errors: map[string]string{"haas_id": "Please use printable characters"}},
		{Line: 6, SystemName: "E9", Nickname: "short", Errors: map[string]string{"row": "The row has 2 cells, the header has 4."}},
		{Line: 7, InService: "maybe", Errors: map[string]string{"haas_id": "Required", "in_service": "Must be true or false"}},
		{Line: 8, SystemName: "E10", Plate: "' =x"},
	}
	if !reflect.DeepEqual(rows, want) {
		t.Errorf("got\n%+v\nwant\n%+v", rows, want)
	}
}

// Spreadsheets of all countries write a table in their own way: it is the same table.
func TestAssetCSVAsSpreadsheetsWriteIt(t *testing.T) {
	want := []file.AssetRow{{SystemName: "E7", Nickname: "Räumer, 4", Plate: "M-AB 1"}, {SystemName: "E8", Nickname: `7" hose`}}
	for _, c := range []struct{ name, text string }{
		{"commas", "haas_id,nickname,plate\nE7,\"Räumer, 4\",M-AB 1\nE8,7\" hose,\n"},
		{"semicolons", "haas_id;nickname;plate\r\nE7;Räumer, 4;M-AB 1\r\nE8;\"7\"\" hose\";\r\n"},
		{"tabs", "haas_id\tnickname\tplate\nE7\tRäumer, 4\tM-AB 1\nE8\t7\" hose\t"},
		{"a word for the separator", "sep=;\r\nhaas_id;nickname;plate\r\nE7;Räumer, 4;M-AB 1\r\nE8;7\" hose;\r\n"},
		{"the word saved as a row", "\ufeff\"sep=,\",,\nhaas_id,nickname,plate\nE7,\"Räumer, 4\",M-AB 1\nE8,7\" hose,\n"},
		{"old line ends", "haas_id;nickname;plate\rE7;Räumer, 4;M-AB 1\rE8;7\" hose;\r"},
		{"line ends converted twice", "\"haas_id\",\"nickname\",\"plate\"\r\r\nE7,\"Räumer, 4\",\"M-AB 1\"\r\r\nE8,7\" hose,\"\"\r\r\n"},
		{"empty columns", "haas_id,nickname,plate,, \nE7,\"Räumer, 4\",M-AB 1,,\nE8,7\" hose,\n"},
		{"an empty column between", "haas_id,,nickname,plate\nE7,,\"Räumer, 4\",M-AB 1\nE8,,7\" hose,,,\n"},
		{"bars", "haas_id|nickname|plate\nE7|Räumer, 4|M-AB 1\nE8|7\" hose|\n"},
		{"a word for bars", "SEP=|\r\nhaas_id|nickname|plate\r\nE7|Räumer, 4|M-AB 1\r\nE8|7\" hose|\r\n"},
		{"empty rows before", "\n;;\r\n;\" \";\r\nhaas_id;nickname;plate\r\nE7;Räumer, 4;M-AB 1\r\nE8;7\" hose;\r\n"},
		{"an empty column before", ",haas_id,nickname,plate\n,E7,\"Räumer, 4\",M-AB 1\n,E8,7\" hose,\n"},
		{"names with spaces", "Haas ID,Nickname\u200b,\u00a0Plate \nE7,\"Räumer, 4\",M-AB 1\nE8,7\" hose,\n"},
		{"empty rows", "haas_id,nickname,plate\n,,\nE7,\"Räumer, 4\",M-AB 1\n\n , ,\nE8,7\" hose,\n,,\n"},
	} {
		rows, err := file.ReadAssetCSV(t.Context(), c.text)
		for i := range rows {
			rows[i].Line = 0
		}
		if err != nil || !reflect.DeepEqual(rows, want) {
			t.Errorf("%s: %v %+v", c.name, err, rows)
		}
	}
}

// What a spreadsheet may have changed is said, and can be taken; what it has broken for good can't.
func TestAssetCSVNamesWhatASpreadsheetChanged(t *testing.T) {
	for cell, want := range map[string]string{
		"3E+14": "refused", "3.56307E14": "refused", "\"3,56307E+014\"": "refused", "1.2E-05": "refused", "#N/A": "refused", "#REF!": "refused", "#NAME?": "refused", "#WERT!": "refused", "#¡REF!": "refused", "#¿NOMBRE?": "refused", "#NV": "refused", "#DIV/0!": "refused",
		"Err:502": "refused", "#GETTING_DATA": "refused", "#SPILL!": "refused", "04. Mrz": "date", "4-févr": "date", "4-avr.": "date", "04-ene": "date", "RÃ¤um 4": "Räum 4", "Räum 4": "", "12-ENG": "", "nan": "no value", "NULL": "no value", "N/A": "no value",
		"########": "refused", "4-Jan": "date", "01. Apr": "date", "Mär 26": "date", "Jan-04": "date", "2026-04-01 00:00:00": "date", "2026-04-01": "date", "1/4/2026": "date",
		"356307042441013.0": "decimals", "8931440400000000000": "15 digits",
		"ZoÃ«": "Zoë", "MÃ¼ller 3": "Müller 3", "Wache â€“ Nord": "Wache – Nord", "Zo\ufffd": "UTF-8",
		"Zoë": "", "Müller": "", "Ã": "", "São Â": "", "東京 1": "", "5 €": "", "São Tomé": "",
		"E14": "", "12E34": "", "1E5": "", "356307042441013": "", "4-1": "", "#7": "", "0042": "", "12.5": "", "May": "", "Unit 12/3": "",
	} {
		rows, err := file.ReadAssetCSV(t.Context(), "haas_id,external_id\nA,"+cell+"\n")
		if err != nil || len(rows) != 1 {
			t.Errorf("%s: %v %+v", cell, err, rows)
			continue
		}
		wrong, note := rows[0].Errors["external_id"], rows[0].Notes["external_id"]
		if (want == "refused") != (wrong != "") || want != "refused" && (want == "") != (note == "") || want != "refused" && !strings.Contains(note, want) {
			t.Errorf("%s: refused %q, noted %q", cell, wrong, note)
		}
	}
	for text, want := range map[string]string{"TRUE": "true", "0": "false", "yes": "true", "WAHR": "true", "FAUX": "false", "": ""} {
		rows, err := file.ReadAssetCSV(t.Context(), "haas_id,in_service\nA,"+text+"\n")
		if err != nil || rows[0].InService != want || len(rows[0].Errors) > 0 {
			t.Errorf("%q: %v %+v", text, err, rows)
		}
	}
}

// What a spreadsheet or a hand has broken in a row is said of that row.
func TestAssetCSVRowsSayWhatIsBroken(t *testing.T) {
	for _, c := range []struct{ row, column, says string }{
		{"A,\"Eng,P,R,X\n", "row", "misplaced quotation mark"},
		{"3.56307E+14,,,,\n", "haas_id", "Excel"}, {"A,,3.56307E+14,,\n", "external_id", "Excel"}, {"A,,,1.23E+05,\n", "registry_number", "Excel"},
		{"A,,\"8,68E+14\",,\n", "external_id", "Excel"}, {"A,,,,note\n", "row", "Column 5 has no name"}, {"A,,,,,,note\n", "row", "cells"},
	} {
		rows, err := file.ReadAssetCSV(t.Context(), "haas_id,nickname,external_id,registry_number,,plate\n"+strings.Replace(c.row, "\n", ",\n", 1)+"B,1.5E+3x,,,,\n")
		if err != nil || len(rows) != 2 || !strings.Contains(rows[0].Errors[c.column], c.says) || len(rows[1].Errors) > 0 {
			t.Errorf("%q: %v %+v", c.row, err, rows)
		}
	}
}

// A table that leaves says that it is UTF-8, for the spreadsheet that opens it.
func TestCSVLeavesWithAByteOrderMark(t *testing.T) {
	var assets, log strings.Builder
	if err := file.WriteAssetCSV(&assets, nil); err != nil {
		t.Fatal(err)
	}
	if err := file.WriteAuditCSV(&log, func(func(wire.AuditEntry) error) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(assets.String(), "\ufefforganization_id,") || !strings.HasPrefix(log.String(), "\ufeffat,") {
		t.Errorf("%q %q", assets.String(), log.String())
	}
}

// What a spreadsheet would calculate leaves with an apostrophe and comes back without it.
func TestAssetCSVIsNeutralToFormulas(t *testing.T) {
	for _, value := range []string{"=HYPERLINK(\"http://x\")", "+1", "-2", "@SUM(A1)", "'=1", "''", "'", "-", "plain", `a"b,c`, "'quoted"} {
		var out strings.Builder
		if err := file.WriteAssetCSV(&out, []file.AssetRow{{SystemName: "A", Nickname: value}}); err != nil {
			t.Fatal(err)
		}
		rows, err := file.ReadAssetCSV(context.Background(), out.String())
		if err != nil || len(rows) != 1 || rows[0].Nickname != value {
			t.Errorf("%q came back as %+v (%v)", value, rows, err)
		}
		line := strings.Split(out.String(), "\r\n")[1]
		cell := strings.TrimPrefix(strings.Split(line, ",")[3], `"`)
		if strings.ContainsAny(cell[:1], "=+-@") {
			t.Errorf("%q leaves as %s", value, line)
		}
	}
}

// rowText makes cells as the laws of assets let them be: trimmed, printable, and none that an import points out.
func rowText() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		s := rapid.OneOf(rapid.String(), rapid.StringMatching(`['=+@\-",;a-c ]{0,6}`)).Draw(t, "text")
		s = strings.TrimSpace(strings.Map(func(r rune) rune {
			if fleet.Invisible(r) {
				return -1
			}
			return r
		}, strings.ToValidUTF8(s, "")))
		if fleet.IsUnknown(s) || fleet.DoubtTextCell(s) != "" {
			return ""
		}
		return s
	})
}

func TestAssetCSVRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := make([]file.AssetRow, rapid.IntRange(1, 5).Draw(t, "rows"))
		for i := range rows {
			cell := func(name string) string { return rowText().Draw(t, name) }
			rows[i] = file.AssetRow{Line: i + 2, Organization: cell("organization"), SystemName: "N" + strconv.Itoa(i) + cell("name"), ExternalID: cell("external"),
				Nickname: cell("nickname"), Type: cell("type"), Subtype: cell("subtype"), DeviceType: cell("device"), VIN: cell("vin"), Plate: cell("plate"),
				Registry: cell("registry"), InService: rapid.SampledFrom([]string{"", "true", "false"}).Draw(t, "in service")}
		}
		var out strings.Builder
		if err := file.WriteAssetCSV(&out, rows); err != nil {
			t.Fatal(err)
		}
		got, err := file.ReadAssetCSV(context.Background(), out.String())
		if err != nil || !reflect.DeepEqual(got, rows) {
			t.Fatalf("%v\nwrote %+v\nread  %+v", err, rows, got)
		}
	})
}

// Whatever is read without errors is written and read back to the same.
func FuzzReadAssetCSV(f *testing.F) {
	for _, seed := range []string{"", "haas_id\nA\n", "\ufeffsystem_name,nickname\r\nE7,\"Engine \"\"7\"\"\"\r\n", "haas_id,nickname\nA,'=1\nB,''\n",
		"haas_id,in_service\nA,TRUE\nB,maybe\n", "haas_id\n\"a\nb\"\n", "haas_id,color\n", "haas_id,plate\nA\n", "haas_id\n\xff\n", "haas_id\r\"A\"", "haas_id\n '\t=x\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		rows, err := file.ReadAssetCSV(context.Background(), text)
		if err != nil {
			var r *fleet.Refusal
			if !errors.As(err, &r) || r.Message == "" || r.Field != "csv" {
				t.Fatalf("%v is not a refusal about the file", err)
			}
			return
		}
		var good []file.AssetRow
		for _, row := range rows {
			if row.Line < 2 {
				t.Fatalf("line %d", row.Line)
			}
			if len(row.Errors) == 0 {
				row.Line = len(good) + 2
				good = append(good, row)
			}
		}
		if len(good) == 0 {
			return
		}
		var out strings.Builder
		if err := file.WriteAssetCSV(&out, good); err != nil {
			t.Fatal(err)
		}
		if out.Len() > 1<<20 {
			return
		}
		again, err := file.ReadAssetCSV(context.Background(), out.String())
		if err != nil || !reflect.DeepEqual(again, good) {
			t.Fatalf("%v\nfirst  %+v\nsecond %+v\n%s", err, good, again, out.String())
		}
	})
}
