// Package web embeds the built web app.
package web

import "embed"

// Dist is the built app: index.html, assets and the embedded base map.
// It is empty (but for .keep) until the web app has been built.
//
//go:embed all:dist
var Dist embed.FS
