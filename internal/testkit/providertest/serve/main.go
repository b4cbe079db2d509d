// Serve is a fake Geotab, or with the argument samsara a fake Samsara, for browser
// journeys. It says on its first line how it is reached, then does what each line of
// its standard input says, and ends with it.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"lightbar/internal/provider"
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
	// Of Samsara.
	Truck *providertest.Truck `json:"truck"`
	GPS   *struct {
		ID       string  `json:"id"`
		Lat, Lng float64 // degrees
		MPH      float64
	} `json:"gps"`
	Aux *struct {
		ID   string `json:"id"`
		Name string `json:"name"`
		On   bool   `json:"on"`
	} `json:"aux"`
}

// ends stands in for the test that a fake lives as long as.
type ends struct{ testing.TB }

func (ends) Helper()        {}
func (ends) Cleanup(func()) {}

func main() {
	run := serveGeotab
	if slices.Contains(os.Args[1:], "samsara") {
		run = serveSamsara
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serveGeotab() error {
	geotab := providertest.NewGeotab(ends{})
	return serve(geotab.Account(), geotab.Certificate(), func(said order) { follow(geotab, said) })
}

func serveSamsara() error {
	samsara := providertest.NewSamsara(ends{})
	return serve(samsara.Account(), samsara.Certificate(), func(said order) { followSamsara(samsara, said) })
}

func serve(account provider.Account, certificate []byte, obey func(order)) error {
	err := json.NewEncoder(os.Stdout).Encode(map[string]string{"server": account.Server, "database": account.Database,
		"user": account.User, "password": account.Secret, "certificate": string(certificate)})
	lines := bufio.NewScanner(os.Stdin)
	for err == nil && lines.Scan() {
		var said order
		if err = json.Unmarshal(lines.Bytes(), &said); err == nil {
			obey(said)
		}
	}
	return errors.Join(err, lines.Err())
}

func followSamsara(samsara *providertest.Samsara, said order) {
	if said.Truck != nil {
		samsara.AddTruck(*said.Truck)
	}
	if at := said.GPS; at != nil {
		samsara.GPS(at.ID, time.Now(), at.Lat, at.Lng, 0, at.MPH)
	}
	if is := said.Aux; is != nil {
		samsara.Aux(is.ID, 1, is.Name, time.Now(), is.On)
	}
	if said.Revoke {
		samsara.Revoke()
	}
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
