package judge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"mcpworks/mcp"
	"mcpworks/mcp/server"
	"mcpworks/packs/judge/internal/ojapi"
)

// zones says by which clock the day of a domain changes (6.1, C9). The zone of
// the machine is never asked.
var zones = map[string]*time.Location{
	"com": time.UTC,
	"cn":  time.FixedZone("UTC+8", 8*60*60),
}

const (
	errDomain = badArgument("domain must be 'com' or 'cn'")
	errDate   = badArgument("invalid date format, expected YYYY-MM-DD")
)

func (j *judge) daily() server.Tool {
	return j.tool(mcp.Tool{
		Name:  "get_daily_challenge",
		Title: "Daily challenge",
		Description: "Fetches LeetCode's problem of the day with its title, difficulty, tags and statement. " +
			"The day is counted in UTC for domain com and in UTC+8 for domain cn; date selects an earlier day.",
		InputSchema: json.RawMessage(`{"type":"object","properties":{` +
			`"domain":{"type":"string","enum":["com","cn"],"default":"com","description":"LeetCode site: com (the day changes at 00:00 UTC) or cn (00:00 UTC+8)"},` +
			`"date":{"type":"string","description":"Calendar day as YYYY-MM-DD; the default is today on the chosen site"}}}`),
	}, j.findDaily)
}

func (j *judge) findDaily(ctx context.Context, args arguments) (string, error) {
	domain, date, err := j.dailyArguments(args)
	if err != nil {
		return "", err
	}
	problem, err := j.api.Daily(ctx, domain, date)
	var fetching *ojapi.Fetching
	switch {
	case errors.As(err, &fetching) && fetching.RetryAfter != nil:
		return fmt.Sprintf("The daily challenge is currently being fetched. Please retry after %d seconds.", *fetching.RetryAfter), nil
	case errors.As(err, &fetching):
		return "The daily challenge is currently being fetched. Please retry later.", nil
	case err != nil:
		return "", err
	}
	return j.show(ctx, problem)
}

func (j *judge) dailyArguments(args arguments) (domain, date string, err error) {
	domain = "com"
	if value := args["domain"]; value != nil {
		domain, _ = value.(string)
	}
	zone, ok := zones[domain]
	if !ok {
		return "", "", errDomain
	}
	if value := args["date"]; value != nil {
		date, _ = value.(string)
		if !isDay(date) {
			return "", "", errDate
		}
		return domain, date, nil
	}
	return domain, j.now().In(zone).Format(time.DateOnly), nil
}

// isDay says whether s is a real day of the calendar (invariant 33).
func isDay(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}
