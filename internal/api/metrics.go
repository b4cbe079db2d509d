package api

import (
	"net/http"
	"net/http/pprof"
	"net/netip"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Metrics is what the process counts. Registry is where the program that starts
// the rooms registers what they tell of themselves.
type Metrics struct {
	Registry *prometheus.Registry
	requests *prometheus.HistogramVec
	refusals *prometheus.CounterVec
	active   prometheus.Gauge
}

// NewMetrics makes a registry with the process's own figures and those of HTTP.
func NewMetrics() *Metrics {
	m := &Metrics{
		Registry: prometheus.NewRegistry(),
		requests: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "lightbar_http_request_duration_seconds", Help: "Duration of HTTP requests by route, method and status.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
		}, []string{"route", "method", "status"}),
		refusals: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "lightbar_http_failures_total", Help: "Failures answered, by machine code.",
		}, []string{"code"}),
		active: prometheus.NewGauge(prometheus.GaugeOpts{Name: "lightbar_http_requests_active", Help: "Requests being answered."}),
	}
	m.Registry.MustRegister(m.requests, m.refusals, m.active, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

func (m *Metrics) observe(route, method string, status int, code string, took time.Duration) {
	m.requests.WithLabelValues(route, knownMethod(method), strconv.Itoa(status)).Observe(took.Seconds())
	if code != "" {
		m.refusals.WithLabelValues(code).Inc()
	}
}

// knownMethod keeps invented methods from making a series each.
func knownMethod(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return method
	}
	return "other"
}

// Admin is the handler of the second listener: /metrics and profiles. Bind it
// to loopback; it knows no sign-in. It answers to loopback addresses and
// localhost alone: a page of the network whose name was made to mean this
// machine reads nothing. The command line is not shown, as it may hold secrets.
// main answers /readyz as on its own listener, so that a probe needs no certificate.
func Admin(m *Metrics, main http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /readyz", main)
	mux.Handle("GET /metrics", promhttp.HandlerFor(m.Registry, promhttp.HandlerOpts{Timeout: 10 * time.Second}))
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := hostName(r)
		if address, err := netip.ParseAddr(host); host != "localhost" && (err != nil || !address.IsLoopback()) {
			fail("host_not_allowed").write(w, r)
			return
		}
		mux.ServeHTTP(w, r)
	})
}
