package sample

import (
	"cmp"
	"embed"
	"encoding/json"
	"io/fs"
	"net/http"
	"slices"
)

// problems holds one file per problem, named source_id.json.
//
//go:embed problems/*.json
var problems embed.FS

// sources are the platforms that /problems accepts (4.2), sorted by name.
var sources = []string{"atcoder", "codeforces", "leetcode", "luogu", "spoj"}

// problem is a problem object (4.4).
type problem struct {
	ID               string   `json:"id"`
	Source           string   `json:"source,omitempty"`
	Slug             string   `json:"slug"`
	Title            *string  `json:"title"`
	TitleCN          *string  `json:"title_cn"`
	Difficulty       *string  `json:"difficulty"`
	ACRate           *float64 `json:"ac_rate"`
	Rating           *float64 `json:"rating"`
	Contest          *string  `json:"contest"`
	ProblemIndex     *string  `json:"problem_index"`
	Tags             []string `json:"tags"`
	Link             *string  `json:"link"`
	Category         *string  `json:"category"`
	PaidOnly         int      `json:"paid_only"`
	Content          *string  `json:"content"`
	ContentCN        *string  `json:"content_cn"`
	SimilarQuestions []string `json:"similar_questions"`
}

// loadProblems reads the embedded problems, sorted by source and id. They are
// part of the program, so a broken one is a bug.
func loadProblems() []*problem {
	names, err := fs.Glob(problems, "problems/*.json")
	if err != nil {
		panic(err)
	}
	var list []*problem
	for _, name := range names {
		data, err := problems.ReadFile(name)
		if err != nil {
			panic(err)
		}
		p := &problem{}
		if err := json.Unmarshal(data, p); err != nil {
			panic("sample: " + name + ": " + err.Error())
		}
		list = append(list, p)
	}
	slices.SortFunc(list, func(a, b *problem) int {
		return cmp.Or(cmp.Compare(a.Source, b.Source), cmp.Compare(a.ID, b.ID))
	})
	return list
}

func (b *backend) find(match func(*problem) bool) *problem {
	if i := slices.IndexFunc(b.problems, match); i >= 0 {
		return b.problems[i]
	}
	return nil
}

// byID finds a problem by its id only; slugs work through resolve (4.5).
func (b *backend) byID(source, id string) *problem {
	return b.find(func(p *problem) bool { return p.Source == source && p.ID == id })
}

func (b *backend) problem(w http.ResponseWriter, r *http.Request) {
	source := r.PathValue("source")
	if !slices.Contains(sources, source) {
		writeProblem(w, http.StatusBadRequest, "invalid source: "+source)
		return
	}
	p := b.byID(source, r.PathValue("id"))
	if p == nil {
		writeProblem(w, http.StatusNotFound, "problem not found")
		return
	}
	writeJSON(w, p)
}

// status counts the problems of each platform; a problem without statement
// cannot be embedded either.
func (b *backend) status(w http.ResponseWriter, _ *http.Request) {
	type platform struct {
		Source         string `json:"source"`
		Total          int    `json:"total"`
		MissingContent int    `json:"missing_content"`
		NotEmbedded    int    `json:"not_embedded"`
	}
	platforms := make([]platform, len(sources))
	for i, source := range sources {
		platforms[i].Source = source
		for _, p := range b.problems {
			if p.Source != source {
				continue
			}
			platforms[i].Total++
			if p.Content == nil {
				platforms[i].MissingContent++
				platforms[i].NotEmbedded++
			}
		}
	}
	writeJSON(w, map[string]any{"version": Version, "platforms": platforms})
}
