package wire

// Brand is how the installation presents itself; open to everybody, because the sign-in screen shows it.
type Brand struct {
	Name           string `json:"name"`
	SupportEmail   string `json:"support_email"`
	SupportPhone   string `json:"support_phone"`
	HelpURL        string `json:"help_url"`
	LicenseURL     string `json:"license_url" doc:"end-user license agreement"`
	TermsURL       string `json:"terms_url"`
	ReferURL       string `json:"refer_url" doc:"Refer a Fleet"`
	CopyrightOwner string `json:"copyright_owner"`
	Environment    string `json:"environment" doc:"as set, else derived from the host: local, dev, staging, test, production, production-uk or production-eu"`
}

// MapProvider is an on-line map an administrator has configured.
type MapProvider struct {
	ID          string `json:"id"`
	Title       string `json:"title"`
	MapType     string `json:"map_type" enum:"roadmap,satellite,hybrid"`
	Kind        string `json:"kind" enum:"style,raster"`
	URL         string `json:"url" doc:"style document, or raster template with {z}, {x} and {y}"`
	Attribution string `json:"attribution"`
	MaxZoom     int    `json:"max_zoom"`
}
