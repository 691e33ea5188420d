package modern

import (
	"mcpworks/lint"
	"mcpworks/mcp"
)

// logged tells of the log messages of a talk, each with the lightest level that
// was wanted by then, if any was: of the request whose answer carried it over
// HTTP, of all requests so far on stdio, where nothing says which one it belongs
// to. Those on subscriptions are left to MOD-025.
func logged(t *lint.Talk, tell func(m *lint.Message, level mcp.Level, wanted bool)) {
	lightest, some := mcp.LevelEmergency, false
	byExchange := map[*lint.Exchange]*lint.Message{}
	for _, m := range t.Messages() {
		switch {
		case !m.FromServer && m.Kind == lint.Request:
			if m.HTTP != nil {
				byExchange[m.HTTP] = m
			}
			if level, ok := logLevel(m); ok {
				lightest, some = min(lightest, level), true
			}
		case m.FromServer && m.Kind == lint.Notification && m.MethodName() == mcp.NotifyMessage:
			level, wanted := lightest, some
			request := byExchange[m.HTTP]
			if request != nil {
				level, wanted = logLevel(request)
			}
			if subscriptionID(m) == nil && (request == nil || request.MethodName() != mcp.MethodListen) {
				tell(m, level, wanted)
			}
		}
	}
}
