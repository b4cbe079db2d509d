package main

import "lightbar/internal/api"

type openapiCmd struct{}

// Help implements kong.HelpProvider.
func (openapiCmd) Help() string {
	return "The document (OpenAPI 3.1, JSON) from which clients and the types of the web app are made; a running server\n" +
		"answers it at /api/openapi.json."
}

func (*openapiCmd) Run(e *env) error {
	_, err := e.stdout.Write(append(api.Document(), '\n'))
	return err
}
