package fleet

import (
	"reflect"
	"strings"
	"testing"
)

// Every field of an audit row is under its MAC, and none can take over a
// neighbor's letters. Fields that the MAC makes are named here.
func TestASealCoversEveryFieldOfARow(t *testing.T) {
	key := []byte("key")
	row := AuditRow{ID: "id", At: 5, ActorUserID: "user", ActorKeyID: "key", OrganizationID: "organization", Network: "network", Verb: "verb", Noun: "noun",
		NounID: "noun-id", Before: []byte("before"), After: []byte("after"), RequestID: "request"}
	mac := SealRow(key, 1, row)
	made := map[string]bool{"SealNo": true, "MAC": true}
	fields := reflect.TypeFor[AuditRow]()
	for i := range fields.NumField() {
		name, changed := fields.Field(i).Name, row
		if made[name] {
			continue
		}
		switch f := reflect.ValueOf(&changed).Elem().Field(i); f.Kind() {
		case reflect.String:
			f.SetString(f.String() + "x")
		case reflect.Int64:
			f.SetInt(f.Int() + 1)
		case reflect.Slice:
			f.SetBytes([]byte(string(f.Bytes()) + "x"))
		default:
			t.Fatalf("%s: a field of another kind; say here how it is changed", name)
		}
		if SealRow(key, 1, changed) == mac {
			t.Errorf("%s can be changed under its seal", name)
		}
	}
	moved := row
	moved.Verb, moved.Noun = "ver", "bnoun"
	left, right := row, row
	left.Verb, left.Noun = "v", strings.Repeat("\x00", 8)+"n"
	right.Verb, right.Noun = "v"+strings.Repeat("\x00", 8), "n"
	if SealRow(key, 1, left) == SealRow(key, 1, right) {
		t.Error("a text with the look of a boundary moves it")
	}
	if SealRow(key, 1, moved) == mac || SealRow(key, 2, row) == mac || SealRow([]byte("another"), 1, row) == mac {
		t.Error("letters moved between fields, another batch or another key give the same MAC")
	}
}

// A seal stands for its number, its instant, the one before and its rows.
func TestASealCoversItsBatch(t *testing.T) {
	key := []byte("key")
	rows := func(ids ...string) (out []AuditRow) {
		for _, id := range ids {
			out = append(out, AuditRow{ID: id, Verb: "v"})
		}
		return out
	}
	base := SealBatch(key, 2, 10, "previous", rows("a", "b"))
	if again := SealBatch(key, 2, 10, "previous", rows("b", "a")); again != base {
		t.Errorf("the order of reading counts: %+v %+v", again, base)
	}
	other := rows("a", "b")
	other[1].Verb = "w"
	for name, s := range map[string]Seal{"number": SealBatch(key, 3, 10, "previous", rows("a", "b")), "instant": SealBatch(key, 2, 11, "previous", rows("a", "b")),
		"previous": SealBatch(key, 2, 10, "another", rows("a", "b")), "a row more": SealBatch(key, 2, 10, "previous", rows("a", "b", "c")),
		"a row fewer": SealBatch(key, 2, 10, "previous", rows("a")), "a row altered": SealBatch(key, 2, 10, "previous", other),
		"key": SealBatch([]byte("another"), 2, 10, "previous", rows("a", "b"))} {
		if s.Hash == base.Hash {
			t.Errorf("%s: the same hash", name)
		}
	}
}

func TestCellsThatBeginLikeAFormulaAreNeutral(t *testing.T) {
	for _, first := range "=+-@\t\r\n'＝＋－＠" {
		text := string(first) + "1"
		if got := NeutralCell(text); got != "'"+text || PlainCell(got) != text {
			t.Errorf("%q becomes %q, and back %q", text, got, PlainCell(got))
		}
	}
	for text, want := range map[string]string{"'0042": "0042", `="0042"`: "0042", `="A-1"`: "A-1", `=""`: "", `="`: `="`, `="a"b"`: `="a"b"`,
		"'A": "'A", "'": "'", `=1+1`: `=1+1`} {
		if got := PlainCell(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
	for _, text := range []string{"'0042", `="0042"`, `=""`} { // of an asset that is called so
		if got := PlainCell(NeutralCell(text)); got != text {
			t.Errorf("%q comes back as %q", text, got)
		}
	}
	for _, text := range []string{"", "1", "a=1", " =1", "x@y", "a＝1", "é", "\xff"} {
		if NeutralCell(text) != text || PlainCell(text) != text {
			t.Errorf("%q is changed", text)
		}
	}
}
