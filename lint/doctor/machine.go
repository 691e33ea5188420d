package doctor

import (
	"context"
	"fmt"
	"os/exec"
	"runtime"
	"sync"

	"mcpworks/internal/secret"
	"mcpworks/internal/version"
)

// Places are the folders where clients keep their configurations.
type Places struct {
	Home    string // of the user
	Config  string // where the system has programs keep theirs
	Project string // where the user works
}

// ExamineMachine looks at what servers run on and what clients are configured
// with. A program that is not there is no failure, a configuration that its
// client cannot read is one.
func ExamineMachine(ctx context.Context, at Places) *Diagnosis {
	x := &examination{d: &Diagnosis{}, redactor: secret.NewRedactor()}
	x.plan(required("mcplint"), optional(runtimes...))
	x.ok("mcplint", fmt.Sprintf("version %s, %s/%s", version.Number, runtime.GOOS, runtime.GOARCH))
	x.programs(ctx)
	x.configurations(at)
	x.finish()
	return x.d
}

// programs asks all runtimes side by side.
func (x *examination) programs(ctx context.Context) {
	type answer struct {
		path, version string
		err           error
	}
	answers := make([]answer, len(runtimes))
	var asking sync.WaitGroup
	for i, name := range runtimes {
		asking.Go(func() {
			a := &answers[i]
			if a.path, a.err = exec.LookPath(name); a.err == nil {
				a.version, a.err = versionOf(ctx, a.path)
			}
		})
	}
	asking.Wait()
	for i, name := range runtimes {
		switch a := answers[i]; {
		case a.path == "":
			x.skip(name, "it is not installed")
		case a.err != nil:
			x.warn(name, "it does not tell its version: "+shortError(a.err), "servers that need it will not run", a.path)
		default:
			x.ok(name, a.version+", "+a.path)
		}
	}
}
