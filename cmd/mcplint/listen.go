package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"
	"time"

	"mcpworks/internal/cmdline"
	"mcpworks/internal/printable"
	"mcpworks/internal/rawjson"
	"mcpworks/mcp"
	"mcpworks/mcp/client"
)

const listenHelp = `Prints what a server tells unasked, until it is stopped.

Usage: mcplint listen [OPTIONS] TARGET [ARGUMENTS]

Examples:
  mcplint listen https://example.com/mcp
  mcplint listen --resource file:///notes.md --count 1 ./server.py
  mcplint listen --tools --max-time 1m --format json https://example.com/mcp

Without any of the first four options it listens to changes of all lists. Servers of protocol 2025-11-25 and older tell
of lists in any case. With --format json every notification is one line.

      --tools                Changes of the list of tools
      --prompts              Changes of the list of prompts
      --resources            Changes of the list of resources
      --resource URI         Changes of a resource; repeatable
      --count N              End, with success, after N notifications
` + targetHelp + `
Here --max-time is how long to listen, and its end is a success; without it there is no limit.
`

func listenVerb() verb {
	v := verb{streams: true, Verb: cmdline.Verb{
		Name: "listen", Help: listenHelp, Target: true,
		Options: []cmdline.Option{
			{Name: optTools}, {Name: optPrompts}, {Name: optResources}, {Name: optResource, Kind: cmdline.Path, Many: true},
			{Name: optCount, Kind: cmdline.Count},
		},
	}}
	v.run = func(ctx context.Context, c *call) ([]byte, error) { return nil, v.listen(ctx, c) }
	return v
}

// A heard writes notifications and counts them.
type heard struct {
	c     *call
	out   io.Writer
	begin time.Time

	mu    sync.Mutex
	left  int // 0 means no limit
	ended bool
	lost  error
	done  chan struct{} // closed when there were enough, or nothing can be written
}

func (v verb) listen(ctx context.Context, c *call) error {
	h := &heard{c: c, out: c.out, begin: time.Now(), done: make(chan struct{})}
	h.left, _ = strconv.Atoi(c.Value(optCount))
	_, err := v.prepared(ctx, c, func(ctx context.Context, t *talk) ([]byte, error) {
		t.opts.On.Any = h.tell
		if err := t.connect(ctx); err != nil {
			return nil, t.diagnose(ctx, err)
		}
		err := t.listenFor(ctx, h)
		t.close(ctx, err)
		if late := (overtime{}); errors.As(context.Cause(ctx), &late) {
			return nil, nil // which is what was asked for
		}
		return nil, t.diagnose(ctx, err)
	})
	if h.mu.Lock(); h.lost != nil {
		err = unwritten(h.lost)
	}
	h.mu.Unlock()
	return err
}

// listenFor subscribes in the way of the era, and stays.
func (t *talk) listenFor(ctx context.Context, h *heard) error {
	wanted := client.Filter{
		Tools: t.Has(optTools), Prompts: t.Has(optPrompts), Resources: t.Has(optResources), URIs: t.Values[optResource],
	}
	if !wanted.Tools && !wanted.Prompts && !wanted.Resources && len(wanted.URIs) == 0 {
		wanted.Tools, wanted.Prompts, wanted.Resources = true, true, true
	}
	ended := make(<-chan struct{})
	why := func() error { return nil }
	if t.Revision().Modern {
		sub, err := t.Listen(ctx, wanted, nil)
		if err != nil {
			return err
		}
		defer sub.Close()
		granted := sub.Granted()
		t.detail("the server tells of: %s", granting(granted))
		ended, why = sub.Done(), sub.Err
	} else {
		for _, uri := range wanted.URIs {
			if err := t.Subscribe(ctx, uri); err != nil {
				return err
			}
		}
	}
	t.detail("listening")
	select {
	case <-h.done:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-t.Done():
		return t.Err()
	case <-ended:
		if why() == nil {
			t.notice("the server has nothing more to tell")
		}
		return why()
	}
}

func granting(f client.Filter) string {
	var all []string
	for _, list := range []struct {
		name string
		on   bool
	}{{"tools", f.Tools}, {"prompts", f.Prompts}, {"resources", f.Resources}} {
		if list.on {
			all = append(all, list.name)
		}
	}
	return fmt.Sprintf("%v", append(all, f.URIs...))
}

// tell writes a notification.
func (h *heard) tell(n client.Notification) {
	if n.Method == mcp.NotifyAcknowledged {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ended {
		return
	}
	ms := float64(time.Since(h.begin).Microseconds()) / 1000
	var text []byte
	if h.c.json() {
		o := rawjson.Begin(nil)
		o.Float("ms", ms)
		o.String("method", n.Method)
		if n.Params != nil {
			o.Raw("params", rawjson.Compact(nil, n.Params))
		}
		text = append(printable.JSON(o.End()), '\n')
	} else {
		text = fmt.Appendf(nil, "%9.1fms %s\n", ms, oneLine(located(n.Method, string(rawjson.Compact(nil, n.Params)))))
	}
	_, h.lost = h.out.Write(text)
	if h.left--; h.left == 0 || h.lost != nil {
		h.ended = true
		close(h.done)
	}
}
