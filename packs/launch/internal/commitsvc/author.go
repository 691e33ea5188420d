package commitsvc

import (
	"cmp"
	"context"
	"regexp"
	"time"
)

// An Author makes commits.
type Author struct {
	Name, Email string
	// When is the date of the commit; zero means when the run was created, as
	// far as its id tells.
	When time.Time
}

func (a Author) orDefault() Author {
	return Author{cmp.Or(a.Name, "launcher"), cmp.Or(a.Email, "launcher@site.invalid"), a.When}
}

type authorKey struct{}

// WithAuthor names the author of the commits that are asked for with this
// context. It reaches a service in the same process only.
func WithAuthor(ctx context.Context, author Author) context.Context {
	return context.WithValue(ctx, authorKey{}, author)
}

// authorOf is the author of a run's commit. It does not depend on the time of
// the request as long as the run's id has a time.
func (s *Server) authorOf(ctx context.Context, runID string) Author {
	author := s.config.Author
	if given, ok := ctx.Value(authorKey{}).(Author); ok {
		author = Author{cmp.Or(given.Name, author.Name), cmp.Or(given.Email, author.Email), given.When}
	}
	if !author.When.IsZero() {
		return author
	}
	author.When = s.config.Now()
	if found := runTime.FindStringSubmatch(runID); found != nil {
		if when, err := time.Parse("20060102T150405Z", found[1]); err == nil {
			author.When = when
		}
	}
	return author
}

var runTime = regexp.MustCompile(`^r_(\d{8}T\d{6}Z)_`)
