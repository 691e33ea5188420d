package operate_test

import (
	"context"
	"errors"
	"testing"

	"mcpworks/packs/launch/internal/operate"
	"mcpworks/packs/launch/internal/pipeline"
	"mcpworks/packs/launch/internal/run"
)

// a fixer does nothing but fix.
type fixer struct {
	operate.Executor
	fixed pipeline.Fixed
}

func (f fixer) Stages() []run.Stage { return nil }

func (f fixer) FixNext(context.Context, *run.Held) (pipeline.Fixed, error) { return f.fixed, nil }

// 10.4: a fix that was taken back is none.
func TestFixTakenBack(t *testing.T) {
	y := newYard(t)
	l, end := y.work()
	id := y.run(l, map[string]any{"stop_at": "PLAN_READY"})
	end()
	fixing := func(fixed pipeline.Fixed) (operate.Fix, error) {
		l := y.open(func(o *operate.Options) {
			o.Executor = func(operate.Rooms) (operate.Executor, error) { return fixer{fixed: fixed}, nil }
		})
		defer y.close(l)
		return l.FixNext(t.Context(), operate.Caller{}, id)
	}
	if fix, err := fixing(pipeline.Fixed{IssueID: "iss_1", PatchIDs: []string{"p_1"}}); err != nil || fix.FixedIssueID != "iss_1" {
		t.Errorf("%+v, %v", fix, err)
	}
	_, err := fixing(pipeline.Fixed{IssueID: "iss_1"})
	if fault := (*pipeline.Fault)(nil); !errors.As(err, &fault) || fault.Code != pipeline.CodeUnfixable {
		t.Errorf("%v", err)
	}
}
