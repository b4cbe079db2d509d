package api

import (
	"context"
	"mime"
	"net/http"
	"strings"

	"lightbar/internal/access"
	"lightbar/internal/file"
	"lightbar/internal/wire"
)

type fileLinkInput struct {
	Filename       string `query:"filename" required:"true" maxLength:"100" doc:"a file_id"`
	IsDownloadable bool   `query:"is_downloadable" doc:"true for files of exports"`
}

func (s *server) exportRoutes() {
	exports := s.noun("Exports", "Files of points, incidents, closures and assets, made in the background.")
	const path = "/organization/export"
	resource(exports, "Export", "Exports", path, "export", s.app.Exports)
	do(exports, http.MethodPost, "estimateExport", path+"/estimate", "How large an export would be. It makes none.", body[wire.ExportWrite],
		s.app.EstimateExport)
	do(exports, http.MethodPost, "cancelExport", path+"/{id}/cancel", "Stop an export that is not done. It is errored then.",
		byID, s.app.CancelExport, http.StatusConflict)
	unwrapped(exports, http.MethodGet, "getFileLink", "/reports/organization_monthly_report_pdf_link",
		"Where a file is downloaded from, for five minutes.", whole[fileLinkInput],
		func(ctx context.Context, actor *access.Actor, in *fileLinkInput) (wire.FileLink, error) {
			return s.app.FileLink(ctx, actor, in.Filename)
		}, http.StatusNotFound)
}

// serveFile answers GET /files/{link} with the file that a link opens, or parts of it.
func (s *server) serveFile(w http.ResponseWriter, r *http.Request) {
	f, err := s.app.OpenFile(r.Context(), r.PathValue("link"))
	if err != nil {
		failureOf(err).write(w, r)
		return
	}
	defer f.Close()
	h := w.Header()
	h.Set("Content-Type", "application/octet-stream")
	for _, format := range file.ExportFormats {
		if strings.HasSuffix(f.Name, "."+format.Ending) {
			h.Set("Content-Type", format.Media)
		}
	}
	if strings.HasSuffix(f.Name, ".pdf") {
		h.Set("Content-Type", "application/pdf")
	}
	h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": f.Name}))
	h.Set("Cache-Control", "no-store")
	http.ServeContent(patient{w}, r, "", f.MadeAt, f)
}
