package lint

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"mcpworks/internal/rawjson"
)

// A record is written as JSON lines, one thing that happened in each:
//
//	{"target":"npx -y some-server","level":"probe"}
//	{"talk":"main","transport":"stdio","revision":"2025-11-25"}
//	{"step":"initialize"}
//	{"send":{"jsonrpc":"2.0","id":1,"method":"initialize"}}
//	{"recv":{"jsonrpc":"2.0","id":1,"result":{}},"ms":12}
//	{"outcome":"silent","ms":1000}
//
// Messages keep every byte: what is not JSON is a sendText or recvText, what is
// not UTF-8 a sendBase64 or recvBase64. Empty lines, and lines that begin with
// #, are left out when it is read.

// recordVersion changes when old readers would misunderstand new records.
const recordVersion = 1

// A line is one line of a record.
type line struct {
	Target  *string `json:"target"`
	Version int     `json:"version"`
	Level   *Level  `json:"level"`
	URL     string  `json:"url"`
	// Loopback, Credentials and Package are of the target.
	Loopback    bool    `json:"loopback"`
	Credentials bool    `json:"credentials"`
	Package     Package `json:"package"`

	Talk        *string         `json:"talk"`
	Transport   string          `json:"transport"`
	Revision    string          `json:"revision"`
	Asked       string          `json:"asked"`
	Modern      bool            `json:"modern"`
	Client      json.RawMessage `json:"client"`
	Failure     string          `json:"failure"`
	Left        bool            `json:"left"`
	StderrBytes int64           `json:"stderrBytes"`
	Truncated   int             `json:"truncated"`

	Step    *string  `json:"step"`
	About   string   `json:"about"`
	Outcome *Outcome `json:"outcome"`

	MS         float64         `json:"ms"`
	Send       json.RawMessage `json:"send"`
	SendText   *string         `json:"sendText"`
	SendBase64 []byte          `json:"sendBase64"`
	Part       bool            `json:"part"`
	Recv       json.RawMessage `json:"recv"`
	RecvText   *string         `json:"recvText"`
	RecvBase64 []byte          `json:"recvBase64"`
	Stderr     *string         `json:"stderr"`
	Note       *string         `json:"note"`
	Exit       *Exit           `json:"exit"`
	HTTP       *exchangeLine   `json:"http"`
}

// An exchangeLine is the value of http.
type exchangeLine struct {
	Method     string            `json:"method"`
	URL        string            `json:"url"`
	Header     map[string]string `json:"header"`
	Body       json.RawMessage   `json:"body"`
	BodyText   *string           `json:"bodyText"`
	BodyBase64 []byte            `json:"bodyBase64"`

	Status       int               `json:"status"`
	Response     map[string]string `json:"response"`
	Answer       json.RawMessage   `json:"answer"`
	AnswerText   *string           `json:"answerText"`
	AnswerBase64 []byte            `json:"answerBase64"`
	HeadMS       float64           `json:"headMs"`
	AnsweredMS   float64           `json:"answeredMs"`
	EndMS        float64           `json:"endMs"`
	LeftMS       float64           `json:"leftMs"`
	EventMS      []float64         `json:"eventMs"`
	Cut          bool              `json:"cut"`
	Error        string            `json:"error"`
}

// maxRecordLine bounds a line of a record that is read.
const maxRecordLine = 192 << 20

// ReadRecord reads a record and seals it.
func ReadRecord(in io.Reader) (*Record, error) {
	r := &recordReader{record: &Record{Level: Probe}}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxRecordLine)
	for n := 1; lines.Scan(); n++ {
		text := bytes.TrimSpace(lines.Bytes())
		if len(text) == 0 || text[0] == '#' {
			continue
		}
		var l line
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.DisallowUnknownFields()
		err := decoder.Decode(&l)
		if err == nil {
			err = r.take(&l)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d of the record: %w", n, err)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("reading the record: %w", err)
	}
	r.record.Seal()
	return r.record, nil
}

type recordReader struct {
	record *Record
	talk   *Talk
	step   *Step
}

func (r *recordReader) take(l *line) error {
	switch {
	case l.Target != nil:
		if l.Version > recordVersion {
			return fmt.Errorf("the record has version %d, and this program knows up to %d", l.Version, recordVersion)
		}
		r.record.Target = Target{*l.Target, l.URL, l.Loopback, l.Credentials, l.Package}
		if l.Level != nil {
			r.record.Level = *l.Level
		}
		return nil
	case l.Talk != nil:
		r.talk = &Talk{
			Phase: *l.Talk, Transport: l.Transport, Revision: l.Revision, Asked: l.Asked, Client: l.Client,
			Modern: l.Modern || Modern.Has(l.Revision), Failure: l.Failure, Left: l.Left, StderrBytes: l.StderrBytes, Truncated: l.Truncated,
		}
		r.record.Talks = append(r.record.Talks, r.talk)
		r.step = nil
		return nil
	case r.talk == nil:
		return errors.New("there is no talk yet")
	case l.Step != nil:
		r.step = &Step{Name: *l.Step, About: l.About}
		r.talk.Steps = append(r.talk.Steps, r.step)
		return nil
	case r.step == nil:
		return errors.New("there is no step yet")
	case l.Outcome != nil:
		r.step.Outcome, r.step.Took = *l.Outcome, duration(l.MS)
		return nil
	}
	return r.event(l)
}

func (r *recordReader) event(l *line) error {
	e := Event{
		At:       duration(l.MS),
		Sent:     bytesOf(l.Send, l.SendText, l.SendBase64),
		Part:     l.Part,
		Received: bytesOf(l.Recv, l.RecvText, l.RecvBase64),
		Exit:     l.Exit,
	}
	switch {
	case l.Stderr != nil:
		e.Stderr = *l.Stderr
	case l.Note != nil:
		e.Note = *l.Note
	case l.Exit != nil:
		e.At, e.Exit.Took = 0, duration(l.MS)
	case l.HTTP != nil:
		e.HTTP = l.HTTP.exchange()
	case e.Sent == nil && e.Received == nil:
		return errors.New("nothing is said to have happened")
	}
	r.step.Events = append(r.step.Events, e)
	return nil
}

func (x *exchangeLine) exchange() *Exchange {
	var times []time.Duration
	for _, ms := range x.EventMS {
		times = append(times, duration(ms))
	}
	return &Exchange{
		Method: x.Method, URL: x.URL, Header: headerOf(x.Header), Body: bytesOf(x.Body, x.BodyText, x.BodyBase64),
		Status: x.Status, Response: headerOf(x.Response), Answer: bytesOf(x.Answer, x.AnswerText, x.AnswerBase64),
		Head: duration(x.HeadMS), Answered: duration(x.AnsweredMS), End: duration(x.EndMS), Left: duration(x.LeftMS), Times: times, Cut: x.Cut, Err: x.Error,
	}
}

func headerOf(fields map[string]string) http.Header {
	header := http.Header{}
	for name, value := range fields {
		header.Set(name, value)
	}
	return header
}

func bytesOf(raw []byte, text *string, coded []byte) []byte {
	switch {
	case raw != nil:
		return raw
	case text != nil:
		return []byte(*text)
	}
	return coded
}

// duration keeps microseconds, as millis does.
func duration(ms float64) time.Duration {
	return time.Duration(math.Round(ms*1000)) * time.Microsecond
}

// Write writes the record as ReadRecord reads it.
func (r *Record) Write(w io.Writer) error {
	out := bufio.NewWriter(w)
	put := func(text []byte) {
		out.Write(text) // the error stays for Flush
		out.WriteByte('\n')
	}
	put(r.appendHead(nil))
	for _, t := range r.Talks {
		put(t.appendHead(nil))
		for _, s := range t.Steps {
			o := rawjson.Begin(nil)
			o.String("step", s.Name)
			o.NonEmpty("about", s.About)
			put(o.End())
			for i := range s.Events {
				put(s.Events[i].appendLine(nil))
			}
			if s.Outcome != Done || s.Took != 0 {
				o := rawjson.Begin(nil)
				o.String("outcome", string(s.Outcome))
				o.Float("ms", millis(s.Took))
				put(o.End())
			}
		}
	}
	return out.Flush()
}

func (r *Record) appendHead(dst []byte) []byte {
	o := rawjson.Begin(dst)
	o.String("target", r.Target.Shown)
	o.Int("version", recordVersion)
	o.String("level", r.Level.String())
	o.NonEmpty("url", r.Target.URL)
	setTrue(&o, "loopback", r.Target.Loopback)
	setTrue(&o, "credentials", r.Target.Credentials)
	if r.Target.Package != (Package{}) {
		p := rawjson.Begin(o.Name("package"))
		p.String("name", r.Target.Package.Name)
		p.NonEmpty("version", r.Target.Package.Version)
		o.Set(p.End())
	}
	return o.End()
}

func (t *Talk) appendHead(dst []byte) []byte {
	o := rawjson.Begin(dst)
	o.String("talk", t.Phase)
	o.String("transport", t.Transport)
	o.NonEmpty("revision", t.Revision)
	o.NonEmpty("asked", t.Asked)
	setTrue(&o, "modern", t.Modern)
	if t.Client != nil {
		o.Raw("client", t.Client)
	}
	o.NonEmpty("failure", t.Failure)
	setTrue(&o, "left", t.Left)
	setCount(&o, "stderrBytes", t.StderrBytes)
	setCount(&o, "truncated", int64(t.Truncated))
	return o.End()
}

func (e *Event) appendLine(dst []byte) []byte {
	o := rawjson.Begin(dst)
	switch {
	case e.Sent != nil:
		setBytes(&o, "send", e.Sent)
		setTrue(&o, "part", e.Part)
	case e.Received != nil:
		setBytes(&o, "recv", e.Received)
	case e.HTTP != nil:
		o.Set(e.HTTP.appendJSON(o.Name("http")))
	case e.Exit != nil:
		x := rawjson.Begin(o.Name("exit"))
		x.Int("code", int64(e.Exit.Code))
		x.NonEmpty("signal", e.Exit.Signal)
		x.String("after", e.Exit.After)
		setTrue(&x, "leftovers", e.Exit.Leftovers)
		o.Set(x.End())
		o.Float("ms", millis(e.Exit.Took))
		return o.End()
	case e.Note != "":
		o.String("note", e.Note)
	default:
		o.String("stderr", strings.ToValidUTF8(e.Stderr, "�"))
	}
	o.Float("ms", millis(e.At))
	return o.End()
}

func (x *Exchange) appendJSON(dst []byte) []byte {
	o := rawjson.Begin(dst)
	o.String("method", x.Method)
	o.String("url", x.URL)
	setHeader(&o, "header", x.Header)
	if x.Body != nil {
		setBytes(&o, "body", x.Body)
	}
	setCount(&o, "status", int64(x.Status))
	setHeader(&o, "response", x.Response)
	if x.Answer != nil {
		setBytes(&o, "answer", x.Answer)
	}
	for _, moment := range []struct {
		name string
		at   time.Duration
	}{{"headMs", x.Head}, {"answeredMs", x.Answered}, {"endMs", x.End}, {"leftMs", x.Left}} {
		if moment.at != 0 {
			o.Float(moment.name, millis(moment.at))
		}
	}
	if len(x.Times) > 0 {
		times := append(o.Name("eventMs"), '[')
		for i, at := range x.Times {
			if i > 0 {
				times = append(times, ',')
			}
			times = strconv.AppendFloat(times, millis(at), 'f', -1, 64)
		}
		o.Set(append(times, ']'))
	}
	setTrue(&o, "cut", x.Cut)
	o.NonEmpty("error", x.Err)
	return o.End()
}

// setBytes keeps every byte.
func setBytes(o *rawjson.ObjectWriter, name string, b []byte) {
	switch {
	case !utf8.Valid(b):
		o.String(name+"Base64", base64.StdEncoding.EncodeToString(b))
	case len(bytes.TrimSpace(b)) == len(b) && !bytes.ContainsAny(b, "\r\n") && json.Valid(b):
		o.Raw(name, b)
	default:
		o.String(name+"Text", string(b))
	}
}

func setHeader(o *rawjson.ObjectWriter, name string, header http.Header) {
	if len(header) == 0 {
		return
	}
	fields := rawjson.Begin(o.Name(name))
	for _, field := range slices.Sorted(maps.Keys(header)) {
		fields.String(field, strings.ToValidUTF8(strings.Join(header[field], ", "), "�"))
	}
	o.Set(fields.End())
}

func setTrue(o *rawjson.ObjectWriter, name string, value bool) {
	if value {
		o.Bool(name, true)
	}
}

func setCount(o *rawjson.ObjectWriter, name string, n int64) {
	if n != 0 {
		o.Int(name, n)
	}
}

// millis keeps microseconds.
func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
