package sample

import (
	"net/http"
	"net/url"
	"regexp"
	"time"
)

const (
	firstDay  = "2020-04-01" // the earliest daily challenge (4.2)
	dayLayout = time.DateOnly
)

var dayForm = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}$`)

// aliases are the values of source that stand for a domain (4.2).
var aliases = map[string]string{"leetcode.com": "com", "leetcode.cn": "cn"}

// daily answers with the same LeetCode problem whenever it is asked for a day.
func (b *backend) daily(w http.ResponseWriter, r *http.Request) {
	domain, complaint := dailyDomain(r.URL.Query())
	if complaint == "" {
		var day time.Time
		if day, complaint = b.dailyDate(r.URL.Query(), domain); complaint == "" {
			writeJSON(w, b.dailyProblem(day, domain))
			return
		}
	}
	writeProblem(w, http.StatusBadRequest, complaint)
}

func dailyDomain(q url.Values) (domain, complaint string) {
	domain = "com"
	if q.Has("source") {
		alias, ok := aliases[q.Get("source")]
		if !ok {
			return "", "source must be 'leetcode.com' or 'leetcode.cn'"
		}
		domain = alias
	}
	if !q.Has("domain") {
		return domain, ""
	}
	switch asked := q.Get("domain"); {
	case asked != "com" && asked != "cn":
		return "", "domain must be 'com' or 'cn'"
	case q.Has("source") && asked != domain:
		return "", "domain and source conflict"
	default:
		return asked, ""
	}
}

func (b *backend) dailyDate(q url.Values, domain string) (day time.Time, complaint string) {
	now := b.options.Now().UTC()
	if domain == "cn" {
		now = now.Add(8 * time.Hour)
	}
	today := now.Format(dayLayout)
	text := today
	if q.Has("date") {
		text = q.Get("date")
	}
	if !dayForm.MatchString(text) {
		return time.Time{}, "invalid date format, expected YYYY-MM-DD"
	}
	day, err := time.Parse(dayLayout, text)
	switch {
	case err != nil:
		return time.Time{}, "invalid calendar date"
	case text < firstDay:
		return time.Time{}, "date must be >= " + firstDay
	case text > today:
		return time.Time{}, "date must be <= today"
	}
	return day, ""
}

// dailyProblem is a problem object without source, with date and domain (4.4).
func (b *backend) dailyProblem(day time.Time, domain string) any {
	var candidates []*problem
	for _, p := range b.problems {
		if p.Source == "leetcode" {
			candidates = append(candidates, p)
		}
	}
	chosen := *candidates[int(day.Unix()/(24*60*60))%len(candidates)]
	chosen.Source = ""
	return struct {
		Date   string `json:"date"`
		Domain string `json:"domain"`
		problem
	}{day.Format(dayLayout), domain, chosen}
}
