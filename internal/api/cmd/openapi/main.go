// Command openapi prints the OpenAPI document of the API; scripts/openapi.sh
// makes the web app's types of it.
package main

import (
	"fmt"
	"os"

	"lightbar/internal/api"
)

func main() {
	if _, err := os.Stdout.Write(api.Document()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
