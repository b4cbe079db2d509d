package api

import (
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"
)

// wellFormed lets only texts in that a database takes: UTF-8 without NUL. An
// address that is none names nothing; a query that is none is said to be that;
// headers, which nobody typed, are mended.
func wellFormed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !storable(r.URL.Path) {
			fail("not_found").write(w, r)
			return
		}
		if name, ok := storableQuery(r.URL.RawQuery); !ok {
			f := fail("invalid_request")
			f.Fields = map[string]string{strings.ToValidUTF8(name, "\uFFFD"): "Expected text in UTF-8 without NUL."}
			f.write(w, r)
			return
		}
		for _, values := range r.Header {
			for i, v := range values {
				if !utf8.ValidString(v) {
					values[i] = strings.ToValidUTF8(v, "\uFFFD")
				}
			}
		}
		next.ServeHTTP(w, r)
	})
}

func storable(text string) bool { return utf8.ValidString(text) && strings.IndexByte(text, 0) < 0 }

// storableQuery names the first parameter that is not storable. What cannot be
// unescaped at all never reaches a verb.
func storableQuery(raw string) (name string, ok bool) {
	if storable(raw) && !strings.Contains(raw, "%") {
		return "", true
	}
	query, _ := url.ParseQuery(raw)
	for name, values := range query {
		for _, v := range append(values, name) {
			if !storable(v) {
				return name, false
			}
		}
	}
	return "", true
}
