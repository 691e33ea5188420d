package taskcard

import (
	"bytes"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"mcpworks/packs/launch/internal/fence"
)

// split takes a card apart. The first line of the body is numbered firstLine.
func split(text []byte) (matter, body []byte, firstLine int, problem *Problem) {
	failed := func(message string, line int) *Problem { return &Problem{ParseFailed, message, "", line} }
	text = bytes.ReplaceAll(bytes.TrimPrefix(text, []byte("\ufeff")), []byte("\r\n"), []byte("\n"))
	switch {
	case len(text) > MaxBytes:
		return nil, nil, 0, failed(fmt.Sprintf("the card has more than %d bytes", MaxBytes), 0)
	case !utf8.Valid(text):
		return nil, nil, 0, failed("the card is not UTF-8", 1+bytes.Count(text[:validPrefix(text)], []byte("\n")))
	case !bytes.HasPrefix(text, []byte("---\n")):
		return nil, nil, 0, failed("the card has to begin with front matter between two lines of ---", 1)
	}
	rest := text[4:]
	end := bytes.Index(append([]byte("\n"), rest...), []byte("\n---\n"))
	if end < 0 && bytes.HasSuffix(rest, []byte("\n---")) {
		end = len(rest) - len("---")
		return rest[:end], nil, 0, nil
	}
	if end < 0 {
		return nil, nil, 0, failed("the front matter has no end", 1)
	}
	matter, body = rest[:end], rest[end+len("---\n"):]
	return matter, body, bytes.Count(matter, []byte("\n")) + 3, nil
}

// validPrefix is the length of the part of text that is UTF-8.
func validPrefix(text []byte) int {
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return len(text)
}

// A key is one member of the front matter: a scalar, or a list of scalars.
type key struct {
	line   int
	scalar string
	list   []item
	isList bool
	empty  bool // null, or nothing at all
}

type item struct {
	line  int
	value string
}

var (
	scalarKeys  = []string{"id", "title", "status", "owner", "updated", "spec_ref", "ruleset_version", "templates_version"}
	listKeys    = []string{"depends_on", "allowed_paths", "evidence_required"}
	optionals   = []string{"tags", "priority", "created", "rollback_reason"}
	versionKeys = []string{"spec_ref", "ruleset_version", "templates_version"}
)

// readKeys reads the front matter. It is false if that is no YAML object.
func (v *validation) readKeys(matter []byte) bool {
	var document yaml.Node
	if err := yaml.Unmarshal(matter, &document); err != nil {
		v.fail(ParseFailed, yamlLine(err), "", "the front matter is not YAML")
		return false
	}
	if document.Kind != yaml.DocumentNode || document.Content[0].Kind != yaml.MappingNode {
		v.fail(ParseFailed, 1, "", "the front matter is not an object")
		return false
	}
	members := document.Content[0].Content
	for i := 0; i+1 < len(members); i += 2 {
		name, value := members[i].Value, members[i+1]
		line := members[i].Line + 1
		read, ok := readKey(value, line)
		_, twice := v.keys[name]
		switch {
		case twice:
			v.fail(ParseFailed, line, "", fmt.Sprintf("%q is there twice", name))
		case !slices.Contains(slices.Concat(scalarKeys, listKeys, optionals), name):
			v.warn(UnknownKey, line, "", fmt.Sprintf("%q is not a key of a taskcard", name))
		case !ok:
			v.fail(BadValue, line, "", fmt.Sprintf("%s has to be text or a list of texts", name))
			v.keys[name] = key{line: line}
		default:
			v.keys[name] = read
		}
	}
	return true
}

func readKey(node *yaml.Node, line int) (key, bool) {
	switch node.Kind {
	case yaml.ScalarNode:
		return key{line: line, scalar: strings.TrimSpace(node.Value), empty: node.Tag == "!!null" || strings.TrimSpace(node.Value) == ""}, true
	case yaml.SequenceNode:
		list := key{line: line, isList: true, empty: len(node.Content) == 0}
		for _, element := range node.Content {
			if element.Kind != yaml.ScalarNode {
				return key{}, false
			}
			list.list = append(list.list, item{element.Line + 1, strings.TrimSpace(element.Value)})
		}
		return list, true
	}
	return key{}, false
}

var yamlLineNumber = regexp.MustCompile(`line (\d{1,9})`)

// yamlLine is the line of the card that an error of the YAML reader names.
func yamlLine(err error) int {
	line := 0
	if match := yamlLineNumber.FindStringSubmatch(err.Error()); match != nil {
		fmt.Sscan(match[1], &line)
	}
	return line + 1
}

var (
	idForm       = regexp.MustCompile(`^TC-[0-9]+$`)
	specRefForm  = regexp.MustCompile(`^[0-9a-f]{7,40}$`)
	fileNameForm = regexp.MustCompile(`^(TC-[0-9]+)(?:_[A-Za-z0-9._-]+)?\.md$`)
)

// checkKeys judges each key by itself and fills in the card.
func (v *validation) checkKeys() {
	card := &v.report.Card
	for name, target := range map[string]*string{
		"id": &card.ID, "title": &card.Title, "status": &card.Status, "owner": &card.Owner, "updated": &card.Updated,
		"spec_ref": &card.SpecRef, "ruleset_version": &card.RulesetVersion, "templates_version": &card.TemplatesVersion,
	} {
		*target = v.keys[name].scalar
	}
	for _, name := range scalarKeys {
		v.checkScalar(name)
	}
	card.DependsOn = v.checkList("depends_on", true)
	card.AllowedPaths = v.checkList("allowed_paths", false)
	card.EvidenceRequired = v.checkList("evidence_required", false)
	if _, there := v.keys["tags"]; there {
		card.Tags = v.checkList("tags", true)
	}
	v.checkFileName()
	for _, entry := range v.keys["allowed_paths"].list {
		v.checkPath(entry)
	}
	for _, entry := range v.keys["evidence_required"].list {
		if !isSafe(plain(entry.value)) {
			v.fail(BadValue, entry.line, "", fmt.Sprintf("%q is not a relative path", entry.value))
		}
	}
}

// checks are the forms of scalars that have one.
var checks = map[string]struct {
	ok   func(string) bool
	want string
}{
	"id":       {idForm.MatchString, "TC- and a number"},
	"status":   {func(s string) bool { return slices.Contains(Statuses, s) }, strings.Join(Statuses, ", ")},
	"updated":  {func(s string) bool { _, err := time.Parse(time.DateOnly, s); return err == nil }, "a date as 2026-01-31"},
	"spec_ref": {specRefForm.MatchString, "7 to 40 hexadecimal digits"},
}

func (v *validation) checkScalar(name string) {
	key, there := v.keys[name]
	check, has := checks[name]
	switch {
	case !there || key.empty && !key.isList:
		v.missing(name, key.line)
	case key.isList:
		v.fail(BadValue, key.line, "", name+" has to be text")
	case has && !check.ok(key.scalar):
		v.fail(BadValue, key.line, "", fmt.Sprintf("%s is %q, want %s", name, key.scalar, check.want))
	}
}

func (v *validation) missing(name string, line int) {
	if slices.Contains(versionKeys, name) {
		v.fail(MissingVersionLock, line, "", name+" is missing")
		return
	}
	v.fail(MissingKey, line, "", name+" is missing")
}

func (v *validation) checkList(name string, mayBeEmpty bool) []string {
	key, there := v.keys[name]
	switch {
	case !there:
		v.missing(name, 0)
		return nil
	case !key.isList && !key.empty:
		v.fail(BadValue, key.line, "", name+" has to be a list")
		return nil
	case key.empty && !mayBeEmpty:
		v.fail(BadValue, key.line, "", name+" must not be empty")
		return nil
	}
	var values []string
	for _, entry := range key.list {
		if entry.value == "" {
			v.fail(BadValue, entry.line, "", name+" has an empty entry")
			continue
		}
		values = append(values, entry.value)
	}
	return values
}

func (v *validation) checkFileName() {
	if v.rules.FileName == "" {
		return
	}
	match := fileNameForm.FindStringSubmatch(path.Base(v.rules.FileName))
	if id := v.keys["id"]; match == nil || match[1] != id.scalar {
		v.fail(IDMismatch, id.line, "", fmt.Sprintf("the id is %q, but the file is called %s", id.scalar, path.Base(v.rules.FileName)))
	}
}

// tooBroad are paths that authorise too much, without what may follow them.
var tooBroad = []string{"", ".", "*", "**", "src", "content"}

func (v *validation) checkPath(entry item) {
	value := plain(entry.value)
	bare := strings.TrimRight(value, "/")
	for _, wild := range []string{"/**", "/*"} {
		bare = strings.TrimRight(strings.TrimSuffix(bare, wild), "/")
	}
	if slices.Contains(tooBroad, bare) && (!v.rules.BroadPaths || bare != "src" && bare != "content") {
		v.fail(PathTooBroad, entry.line, "", fmt.Sprintf("%q allows too much", entry.value))
		return
	}
	if _, err := fence.New([]string{value}); err != nil {
		v.fail(BadValue, entry.line, "", err.Error())
	}
}

// isSafe says whether a path stays below its root, with nothing in it that some
// program might expand.
func isSafe(name string) bool {
	return name != "" && !strings.HasPrefix(name, "/") && !strings.ContainsAny(name, "\\~$%\x00") &&
		!slices.ContainsFunc(strings.Split(strings.TrimRight(name, "/"), "/"), func(s string) bool { return s == "" || s == "." || s == ".." })
}
