package launch

import (
	"context"
	"time"

	"mcpworks/packs/launch/internal/operate"
)

// Open is New with another executor, for a queue that is looked at often.
func Open(ctx context.Context, cfg Config, executor func(operate.Rooms) (operate.Executor, error)) (*Launcher, error) {
	return open(ctx, cfg, executor, 10*time.Millisecond)
}

// Catalogue says for each tool whether it is deprecated.
func Catalogue() map[string]bool {
	tools := map[string]bool{}
	for _, name := range Tools() {
		_, tools[name], _ = find(name)
	}
	return tools
}
