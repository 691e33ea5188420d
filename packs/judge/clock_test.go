package judge_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"mcpworks/packs/judge"

	"pgregory.net/rapid"
)

// abroad moves the machine for the duration of a test, also for those who took
// time.Local when the program started. Such tests cannot be parallel.
func abroad(t *testing.T, zone *time.Location) {
	_ = time.Now().Local().Hour() // from now on the zone is known
	home := *time.Local
	*time.Local = *zone
	t.Cleanup(func() { *time.Local = home })
}

// kiritimati is UTC+14, where the day begins first.
var kiritimati = time.FixedZone("+14", 14*60*60)

func TestInvariant31DayDoesNotFollowTheMachine(t *testing.T) {
	var asked []string
	var now time.Time
	backend := func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.RequestURI)
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, shortBody)
	}
	for _, zone := range []*time.Location{time.UTC, kiritimati, time.FixedZone("-11", -11*60*60)} {
		t.Run(zone.String(), func(t *testing.T) {
			abroad(t, zone)
			s := against(t, backend, func(cfg *judge.Config) { cfg.Now = func() time.Time { return now } })
			for _, c := range []struct{ now, arguments, want string }{
				{"2026-03-05T23:30:00Z", `{}`, "domain=com&date=2026-03-05"},
				{"2026-03-05T23:30:00Z", `{"domain":"com"}`, "domain=com&date=2026-03-05"},
				{"2026-03-06T00:00:00Z", `{}`, "domain=com&date=2026-03-06"},
				{"2026-03-05T00:00:00Z", `{}`, "domain=com&date=2026-03-05"},
				{"2026-03-05T15:59:59Z", `{"domain":"cn"}`, "domain=cn&date=2026-03-05"},
				{"2026-03-05T16:00:00Z", `{"domain":"cn"}`, "domain=cn&date=2026-03-06"},
				{"2026-03-05T16:00:00Z", `{"domain":"com"}`, "domain=com&date=2026-03-05"},
				{"2026-12-31T16:00:00Z", `{"domain":"cn"}`, "domain=cn&date=2027-01-01"},
				{"2024-02-28T16:00:00Z", `{"domain":"cn"}`, "domain=cn&date=2024-02-29"},
			} {
				parsed, err := time.Parse(time.RFC3339, c.now)
				if err != nil {
					t.Fatal(err)
				}
				asked, now = nil, parsed.Local() // as time.Now gives it
				s.call(t, "get_daily_challenge", c.arguments)
				if len(asked) != 1 || asked[0] != "/api/v1/daily?"+c.want {
					t.Errorf("at %s %s asks %q, want %s", c.now, c.arguments, asked, c.want)
				}
			}
		})
	}
}

// At every moment, in every zone: the day is that of UTC, or of UTC+8.
func TestInvariant31AtEveryMoment(t *testing.T) {
	var asked string
	var now time.Time
	s := against(t, func(w http.ResponseWriter, r *http.Request) {
		asked = r.URL.Query().Get("date")
	}, func(cfg *judge.Config) { cfg.Now = func() time.Time { return now } })
	offsets := map[string]time.Duration{"com": 0, "cn": 8 * time.Hour}
	rapid.Check(t, func(t *rapid.T) {
		moment := time.Unix(rapid.Int64Range(1_500_000_000, 4_000_000_000).Draw(t, "moment"), 0).UTC()
		now = moment.In(time.FixedZone("", rapid.IntRange(-12*3600, 14*3600).Draw(t, "offset")))
		domain := rapid.SampledFrom([]string{"com", "cn"}).Draw(t, "domain")
		s.call(t, "get_daily_challenge", `{"domain":"`+domain+`"}`)
		if want := moment.Add(offsets[domain]).Format(time.DateOnly); asked != want {
			t.Fatalf("at %v %s asks for %s, want %s", moment, domain, asked, want)
		}
	})
}
