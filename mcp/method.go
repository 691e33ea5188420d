package mcp

// Requests a client sends.
const (
	MethodInitialize            = "initialize"
	MethodDiscover              = "server/discover"
	MethodPing                  = "ping"
	MethodListTools             = "tools/list"
	MethodCallTool              = "tools/call"
	MethodListResources         = "resources/list"
	MethodListResourceTemplates = "resources/templates/list"
	MethodReadResource          = "resources/read"
	MethodSubscribe             = "resources/subscribe"
	MethodUnsubscribe           = "resources/unsubscribe"
	MethodListPrompts           = "prompts/list"
	MethodGetPrompt             = "prompts/get"
	MethodComplete              = "completion/complete"
	MethodSetLevel              = "logging/setLevel"
	MethodListen                = "subscriptions/listen"
)

// Requests a server sends, or in the modern era puts into inputRequests.
const (
	MethodElicit        = "elicitation/create"
	MethodCreateMessage = "sampling/createMessage"
	MethodListRoots     = "roots/list"
)

// Notifications of both sides.
const (
	NotifyInitialized      = "notifications/initialized"
	NotifyCancelled        = "notifications/cancelled"
	NotifyProgress         = "notifications/progress"
	NotifyMessage          = "notifications/message"
	NotifyToolsChanged     = "notifications/tools/list_changed"
	NotifyPromptsChanged   = "notifications/prompts/list_changed"
	NotifyResourcesChanged = "notifications/resources/list_changed"
	NotifyResourceUpdated  = "notifications/resources/updated"
	NotifyAcknowledged     = "notifications/subscriptions/acknowledged"
)
