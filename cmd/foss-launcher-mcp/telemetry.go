package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// A history is what is known of a run after the fact.
type history struct {
	RunID   string `json:"run_id"`
	Summary struct {
		Records int            `json:"total_records"`
		Kinds   map[string]int `json:"by_job_type"`
		First   string         `json:"first_ts"`
		Last    string         `json:"last_ts"`
		Pending int            `json:"outbox_pending"`
		Model   struct {
			Calls  int
			Input  int64   `json:"input_tokens"`
			Output int64   `json:"output_tokens"`
			Cost   float64 `json:"cost_usd"`
		} `json:"llm"`
	}
	Records []record `json:"runs"`
	Events  []event
	Calls   []struct {
		TS, Tool, Outcome string
		Millis            int64  `json:"duration_ms"`
		Code              string `json:"error_code"`
	} `json:"tool_calls"`
	NextCursor string `json:"next_cursor"`
}

// A record is something that began and, perhaps, has ended.
type record struct {
	Kind    string `json:"job_type"`
	Name    string `json:"item_name"`
	Status  string
	Millis  int64 `json:"duration_ms"`
	Context struct {
		Scope string
	} `json:"context_json"`
}

func telemetryText(p *page, h history) {
	p.fact("Run", "%s", h.RunID)
	if h.Summary.Records == 0 {
		p.fact("Records", "none")
	} else {
		p.fact("Records", "%d: %s", h.Summary.Records, kinds(h.Summary.Kinds))
		p.fact("From", "%s", clock(h.Summary.First))
		p.fact("To", "%s, after %s", clock(h.Summary.Last), span(between(h.Summary.First, h.Summary.Last)))
	}
	if m := h.Summary.Model; m.Calls > 0 {
		p.fact("Models", "%s, %d tokens in, %d out, %.2f USD", several(m.Calls, "call"), m.Input, m.Output, m.Cost)
	}
	if h.Summary.Pending > 0 {
		p.fact("Waiting", "%s for the telemetry service", several(h.Summary.Pending, "record"))
	}
	timesText(p, h.Records)
	callsText(p, h)
	eventsText(p, h.Events)
	if h.NextCursor != "" {
		p.heading("There is more:")
		p.line("  %s", p.more(h.NextCursor))
	}
}

func kinds(counts map[string]int) string {
	var all []string
	for _, kind := range slices.Sorted(maps.Keys(counts)) {
		all = append(all, fmt.Sprintf("%d %s", counts[kind], kind))
	}
	return strings.Join(all, ", ")
}

// timesText says how long each stage took, and all gates together.
func timesText(p *page, records []record) {
	type sum struct {
		times, failed int
		took          time.Duration
	}
	sums, order := map[string]*sum{}, []string{}
	for _, r := range records {
		name := ""
		switch r.Kind {
		case "worker":
			name = stageName(r.Name, r.Context.Scope)
		case "gate":
			name = "gates, all together"
		case "commit_service":
			name = "commit service: " + r.Name
		default:
			continue
		}
		if sums[name] == nil {
			sums[name] = &sum{}
			order = append(order, name)
		}
		s := sums[name]
		s.times++
		s.took += time.Duration(r.Millis) * time.Millisecond
		if r.Status != "success" && r.Status != "running" {
			s.failed++
		}
	}
	if len(order) == 0 {
		return
	}
	p.line("")
	rows := [][]string{{"STAGE", "TIME", "TIMES", "FAILED"}}
	for _, name := range order {
		s := sums[name]
		rows = append(rows, []string{name, span(s.took), fmt.Sprint(s.times), fmt.Sprint(s.failed)})
	}
	p.table(rows)
}

func callsText(p *page, h history) {
	if len(h.Calls) == 0 {
		return
	}
	p.line("")
	rows := [][]string{{"CALLED (UTC)", "TIME", "OUTCOME", "TOOL", "ERROR"}}
	for _, c := range h.Calls {
		rows = append(rows, []string{plainClock(c.TS), span(time.Duration(c.Millis) * time.Millisecond), c.Outcome, c.Tool, c.Code})
	}
	p.table(rows)
}

func eventsText(p *page, events []event) {
	if len(events) == 0 {
		return
	}
	p.line("")
	rows := [][]string{{"NUMBER", "TIME (UTC)", "EVENT", "ABOUT"}}
	for _, e := range events {
		rows = append(rows, []string{fmt.Sprint(e.Seq), plainClock(e.Time), e.Type, cut(e.Payload.about(), 30)})
	}
	p.table(rows)
}
