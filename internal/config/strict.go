package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// strict refuses JSON that Go's decoder would read in silence otherwise than
// its writer meant it: a name said twice in one object (the last would count),
// null (it would be the default) and anything after the first value.
func strict(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := strictValue(d, ""); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows after its end")
	}
	return nil
}

// strictValue reads one value; at names it for people, "" = the whole text.
func strictValue(d *json.Decoder, at string) error {
	token, err := d.Token()
	if err != nil {
		return err
	}
	switch token {
	case nil:
		if at == "" {
			return errors.New("it is null")
		}
		return fmt.Errorf("%s is null; leave it out for its default", at)
	case json.Delim('['):
		for i := 1; d.More(); i++ {
			if err := strictValue(d, fmt.Sprintf("%s[%d]", at, i)); err != nil {
				return err
			}
		}
	case json.Delim('{'):
		seen := map[string]bool{}
		for d.More() {
			token, err := d.Token()
			if err != nil {
				return err
			}
			name, _ := token.(string) // the decoder refuses other names
			full := name
			if at != "" {
				full = at + "." + name
			}
			if seen[name] {
				return fmt.Errorf("%s is there twice", full)
			}
			seen[name] = true
			if err := strictValue(d, full); err != nil {
				return err
			}
		}
	default:
		return nil
	}
	_, err = d.Token() // the end of the list or object
	return err
}
