package taskcard

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"mcpworks/internal/bounded"
)

// maxCards is how many cards of a folder are looked at.
const maxCards = 10_000

// ErrUnknown is what is returned for a card that is not there.
var ErrUnknown = errors.New("there is no such taskcard")

// A Folder has cards as files TC-<n>.md or TC-<n>_<slug>.md.
type Folder struct {
	// Dir is where the cards are. One that does not exist has none.
	Dir string
	// EvidenceDir is what the paths of evidence are relative to; empty means
	// Dir.
	EvidenceDir string
	// BroadPaths is as in Rules.
	BroadPaths bool
}

// An Entry is one card of a list (3.5).
type Entry struct {
	ID           string   `json:"id"`
	Title        string   `json:"title"`
	Status       string   `json:"status"`
	Owner        string   `json:"owner"`
	Updated      string   `json:"updated"`
	Path         string   `json:"path"`
	DependsOn    []string `json:"depends_on"`
	AllowedPaths []string `json:"allowed_paths"`
	Active       bool     `json:"active"`
	Valid        bool     `json:"valid"`
}

// A Filter chooses cards; what is empty chooses all.
type Filter struct {
	Status string
	Tag    string
	Active *bool
}

// List returns the cards of the folder, ordered by the number of their id. Cards
// that cannot be read are there too, with the id of their file name.
func (f Folder) List(filter Filter) ([]Entry, error) {
	shelf, err := f.read()
	if err != nil {
		return nil, err
	}
	entries := []Entry{}
	for _, one := range shelf.cards {
		report := shelf.judge(one, f.rules(false))
		card := report.Card
		if filter.Status != "" && card.Status != filter.Status || filter.Tag != "" && !slices.Contains(card.Tags, filter.Tag) ||
			filter.Active != nil && card.Active() != *filter.Active {
			continue
		}
		entries = append(entries, Entry{
			ID: one.id, Title: card.Title, Status: card.Status, Owner: card.Owner, Updated: card.Updated, Path: one.name,
			DependsOn: orEmpty(card.DependsOn), AllowedPaths: orEmpty(card.AllowedPaths), Active: card.Active(), Valid: report.Valid(),
		})
	}
	return entries, nil
}

// Get judges the card with an id.
func (f Folder) Get(id string, checkEvidence bool) (Report, error) {
	return f.find(func(one stored) bool { return one.id == id }, checkEvidence)
}

// GetFile judges the card in a file of the folder.
func (f Folder) GetFile(name string, checkEvidence bool) (Report, error) {
	return f.find(func(one stored) bool { return one.name == name }, checkEvidence)
}

func (f Folder) find(matches func(stored) bool, checkEvidence bool) (Report, error) {
	shelf, err := f.read()
	if err != nil {
		return Report{}, err
	}
	at := slices.IndexFunc(shelf.cards, matches)
	if at < 0 {
		return Report{}, ErrUnknown
	}
	return shelf.judge(shelf.cards[at], f.rules(checkEvidence)), nil
}

// GetText judges a card that is not in the folder but may depend on those that
// are.
func (f Folder) GetText(text []byte, checkEvidence bool) (Report, error) {
	shelf, err := f.read()
	if err != nil {
		return Report{}, err
	}
	rules := f.rules(checkEvidence)
	rules.Others = shelf.byID
	return Validate(text, rules), nil
}

func (f Folder) rules(checkEvidence bool) Rules {
	rules := Rules{BroadPaths: f.BroadPaths}
	if checkEvidence {
		rules.Evidence = f.evidence
	}
	return rules
}

// A stored is one file of the folder.
type stored struct {
	name, id string
	text     []byte
	err      error
}

// A shelf is all cards of a folder, ordered by the number of their id.
type shelf struct {
	cards []stored
	byID  map[string]Card
	files map[string]int // by id: how many files have it
}

func (f Folder) read() (shelf, error) {
	all := shelf{byID: map[string]Card{}, files: map[string]int{}}
	root, err := os.OpenRoot(f.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return all, nil
	}
	if err != nil {
		return all, errors.New("the folder of taskcards cannot be read")
	}
	defer root.Close()
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return all, errors.New("the folder of taskcards cannot be read")
	}
	for _, entry := range entries {
		match := fileNameForm.FindStringSubmatch(entry.Name())
		if match == nil || len(all.cards) == maxCards {
			continue
		}
		one := stored{name: entry.Name(), id: match[1]}
		one.text, one.err = readFile(root, entry.Name())
		all.cards = append(all.cards, one)
		all.byID[one.id] = Validate(one.text, Rules{}).Card
		all.files[one.id]++
	}
	slices.SortFunc(all.cards, func(a, b stored) int { return cmp.Or(compareIDs(a.id, b.id), cmp.Compare(a.name, b.name)) })
	return all, nil
}

// judge validates a card among the others.
func (s shelf) judge(one stored, rules Rules) Report {
	if one.err != nil {
		return Report{Errors: []Problem{{Code: ParseFailed, Message: "the file cannot be read"}}}
	}
	rules.FileName, rules.Others = one.name, s.byID
	report := Validate(one.text, rules)
	if s.files[one.id] > 1 {
		report.Errors = append(report.Errors, Problem{Code: IDMismatch, Message: "another file has the same id"})
	}
	return report
}

// readFile reads a card, at most one byte more than it may have.
func readFile(root *os.Root, name string) ([]byte, error) {
	info, err := root.Stat(name) // follows links within the folder, and no others
	if err != nil || !info.Mode().IsRegular() {
		return nil, cmp.Or(err, errors.New("not a file"))
	}
	file, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, _, err := bounded.Read(file, MaxBytes+1)
	return text, err
}

// compareIDs orders ids by their number, whatever its length.
func compareIDs(a, b string) int {
	a, b = strings.TrimLeft(a[len("TC-"):], "0"), strings.TrimLeft(b[len("TC-"):], "0")
	return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
}

// evidence is the size of a file, or of all files directly in a folder.
func (f Folder) evidence(name string) (int64, error) {
	root, err := os.OpenRoot(cmp.Or(f.EvidenceDir, f.Dir))
	if err != nil {
		return 0, err
	}
	defer root.Close()
	info, err := root.Stat(name)
	if err != nil || !info.IsDir() {
		return sizeOf(info), err
	}
	entries, err := fs.ReadDir(root.FS(), path.Clean(name))
	var total int64
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() {
			total += info.Size()
		}
	}
	return total, err
}

func sizeOf(info fs.FileInfo) int64 {
	if info == nil || !info.Mode().IsRegular() {
		return 0
	}
	return info.Size()
}

func orEmpty(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}
