// Serve is a fake Geotab for browser journeys. It says on its first line how it is
// reached, then does what each line of its standard input says, and ends with it.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"lightbar/internal/testkit/providertest"
)

// order is one line of the input: what is there is done.
type order struct {
	Device *providertest.Device `json:"device"`
	Log    *struct {
		ID       string  `json:"id"`
		Lat, Lng float64 // degrees
		KMH      int
	} `json:"log"`
	Revoke bool `json:"revoke"`
}

// ends stands in for the test that a fake lives as long as.
type ends struct{ testing.TB }

func (ends) Helper()        {}
func (ends) Cleanup(func()) {}

func main() {
	if err := serve(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve() error {
	geotab := providertest.NewGeotab(ends{})
	account := geotab.Account()
	err := json.NewEncoder(os.Stdout).Encode(map[string]string{"server": account.Server, "database": account.Database,
		"user": account.User, "password": account.Secret, "certificate": string(geotab.Certificate())})
	lines := bufio.NewScanner(os.Stdin)
	for err == nil && lines.Scan() {
		var said order
		if err = json.Unmarshal(lines.Bytes(), &said); err == nil {
			follow(geotab, said)
		}
	}
	return errors.Join(err, lines.Err())
}

func follow(geotab *providertest.Geotab, said order) {
	if said.Device != nil {
		geotab.AddDevice(*said.Device)
	}
	if at := said.Log; at != nil {
		geotab.Log(at.ID, time.Now(), at.Lat, at.Lng, at.KMH)
	}
	if said.Revoke {
		geotab.Revoke()
	}
}
