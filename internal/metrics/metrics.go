// Package metrics counts what a program does, and writes the numbers in the text
// format of Prometheus, version 0.0.4.
package metrics

import (
	"bytes"
	"maps"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
)

// MIMEType is that of the text.
const MIMEType = "text/plain; version=0.0.4; charset=utf-8"

// A Registry is a list of metrics. It is filled before anyone reads it; the zero
// value has none.
type Registry struct {
	metrics []metric
}

type metric interface {
	AppendText(dst []byte) []byte
}

// AppendText appends all metrics, in the order they were made, and the series
// of each in byte order.
func (r *Registry) AppendText(dst []byte) []byte {
	for _, m := range r.metrics {
		dst = m.AppendText(dst)
	}
	return dst
}

// Include adds all metrics of another registry.
func (r *Registry) Include(other *Registry) { r.metrics = append(r.metrics, other) }

// Counter adds a metric that only grows.
func (r *Registry) Counter(name, help string, labels ...string) *Vec {
	return r.add(&Vec{name: name, help: help, kind: "counter", labels: labels})
}

// Gauge adds a metric that goes up and down.
func (r *Registry) Gauge(name, help string, labels ...string) *Vec {
	return r.add(&Vec{name: name, help: help, kind: "gauge", labels: labels})
}

// Histogram adds a metric of observed values, in buckets whose upper bounds are
// given in ascending order.
func (r *Registry) Histogram(name, help string, bounds []float64, labels ...string) *Vec {
	return r.add(&Vec{name: name, help: help, kind: "histogram", bounds: bounds, labels: labels})
}

func (r *Registry) add(v *Vec) *Vec {
	v.series = map[string]*series{}
	r.metrics = append(r.metrics, v)
	return v
}

// GaugeFunc adds a gauge whose values are looked up when somebody reads it: tell
// is called with each.
func (r *Registry) GaugeFunc(name, help string, labels []string, values func(tell func(value float64, labels ...string))) {
	r.metrics = append(r.metrics, gaugeFunc{name, help, labels, values})
}

// A Vec is one metric with a series for every combination of label values.
type Vec struct {
	name, help, kind string
	labels           []string
	bounds           []float64 // of a histogram's buckets, ascending

	mu     sync.Mutex
	series map[string]*series // by their labels as text
}

type series struct {
	value  float64 // of a counter or gauge; the sum of a histogram
	counts []uint64
	count  uint64
}

// at finds or makes a series; the caller holds mu.
func (v *Vec) at(values []string) *series {
	key := labelText(v.labels, values)
	s := v.series[key]
	if s == nil {
		s = &series{counts: make([]uint64, len(v.bounds))}
		v.series[key] = s
	}
	return s
}

// Add adds to a counter or a gauge.
func (v *Vec) Add(n float64, values ...string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.at(values).value += n
}

// Observe counts one value of a histogram.
func (v *Vec) Observe(n float64, values ...string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	s := v.at(values)
	s.value += n
	s.count++
	if i := sort.SearchFloat64s(v.bounds, n); i < len(v.bounds) {
		s.counts[i]++
	}
}

// AppendText appends the metric, if it has any series.
func (v *Vec) AppendText(dst []byte) []byte {
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.series) == 0 {
		return dst
	}
	dst = appendHead(dst, v.name, v.help, v.kind)
	for _, labels := range slices.Sorted(maps.Keys(v.series)) {
		s := v.series[labels]
		if v.kind != "histogram" {
			dst = appendSample(dst, v.name, labels, s.value)
			continue
		}
		below := uint64(0)
		for i, bound := range v.bounds {
			below += s.counts[i]
			dst = appendSample(dst, v.name+"_bucket", with(labels, "le", formatFloat(bound)), float64(below))
		}
		dst = appendSample(dst, v.name+"_bucket", with(labels, "le", "+Inf"), float64(s.count))
		dst = appendSample(dst, v.name+"_sum", labels, s.value)
		dst = appendSample(dst, v.name+"_count", labels, float64(s.count))
	}
	return dst
}

type gaugeFunc struct {
	name, help string
	labels     []string
	values     func(tell func(value float64, labels ...string))
}

// AppendText appends the metric as it is now.
func (g gaugeFunc) AppendText(dst []byte) []byte {
	now := (&Registry{}).Gauge(g.name, g.help, g.labels...)
	g.values(now.Add)
	return now.AppendText(dst)
}

func appendHead(dst []byte, name, help, kind string) []byte {
	out := bytes.NewBuffer(dst)
	out.WriteString("# HELP " + name + " " + help + "\n# TYPE " + name + " " + kind + "\n")
	return out.Bytes()
}

func appendSample(dst []byte, name, labels string, value float64) []byte {
	dst = append(dst, name...)
	if labels != "" {
		dst = append(append(append(dst, '{'), labels...), '}')
	}
	return append(append(append(dst, ' '), formatFloat(value)...), '\n')
}

// formatFloat writes whole numbers without exponent, for people who read it.
func formatFloat(n float64) string {
	if n == float64(int64(n)) {
		return strconv.FormatInt(int64(n), 10)
	}
	return strconv.FormatFloat(n, 'g', -1, 64)
}

var labelEscaper = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

// labelText is what stands between the braces of a sample.
func labelText(names, values []string) string {
	text := ""
	for i, name := range names {
		text = with(text, name, values[i])
	}
	return text
}

func with(labels, name, value string) string {
	if labels != "" {
		labels += ","
	}
	return labels + name + `="` + labelEscaper.Replace(strings.ToValidUTF8(value, "\uFFFD")) + `"`
}
