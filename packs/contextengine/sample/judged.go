package sample

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"mcpworks/internal/rawjson"
)

//go:embed judged.json
var judged []byte

// Query is a question to the sample, with what its documents have to say to it.
// The judgements follow from reading the documents and from no ranking.
type Query struct {
	// Text is the question as people type it.
	Text string `json:"query"`
	// Budget is how many tokens the answer may have (SEL-12).
	Budget int64 `json:"budget"`
	// Relevant has a grade for the id of each document that helps: 3 if it
	// answers the question, 2 if it answers a part of it, 1 if it adds
	// something worth knowing. A document without a grade does not help.
	Relevant map[string]int `json:"relevant"`
}

// Judged returns the questions in the order of their file. The caller owns them.
func Judged() ([]Query, error) { return parse(judged) }

// parse refuses what a slip of the pen may leave in the file: a member that is
// unknown, misspelt or given twice, and a question that cannot be measured.
func parse(text []byte) ([]Query, error) {
	if err := checkText(text); err != nil {
		return nil, fmt.Errorf("reading the judged queries: %w", err)
	}
	var file struct {
		Queries []Query `json:"queries"`
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&file); err != nil {
		return nil, fmt.Errorf("reading the judged queries: %w", err)
	}
	if len(file.Queries) == 0 {
		return nil, errors.New("reading the judged queries: there is none")
	}
	for _, q := range file.Queries {
		if err := q.check(); err != nil {
			return nil, fmt.Errorf("judged query %q: %w", q.Text, err)
		}
	}
	return file.Queries, nil
}

func checkText(text []byte) error {
	if err := rawjson.Check(text, rawjson.Limits{}); err != nil {
		return err
	}
	tree, err := rawjson.Decode(text)
	if err != nil {
		return err
	}
	return checkNames(tree)
}

// checkNames wants all names in lower case: ids are (DOC-5), and encoding/json
// would take any other spelling of a member for ours.
func checkNames(v any) error {
	switch v := v.(type) {
	case map[string]any:
		for name, value := range v {
			if name != strings.ToLower(name) {
				return fmt.Errorf("%q is not in lower case", name)
			}
			if err := checkNames(value); err != nil {
				return err
			}
		}
	case []any:
		for _, value := range v {
			if err := checkNames(value); err != nil {
				return err
			}
		}
	}
	return nil
}

func (q Query) check() error {
	switch {
	case strings.TrimSpace(q.Text) == "":
		return errors.New("no text")
	case q.Budget <= 0:
		return errors.New("no budget")
	case len(q.Relevant) == 0:
		return errors.New("no relevant document")
	}
	for id, grade := range q.Relevant {
		if grade < 1 || grade > 3 {
			return fmt.Errorf("grade %d of %s is not 1, 2 or 3", grade, id)
		}
	}
	return nil
}
