// Package redact takes secrets and the places of this machine out of what a run
// writes and answers (12.4).
//
// Four things are looked for: members of objects whose name says that they are
// secret, the values of environment variables that hold secrets, text that has
// the shape of a secret, and folders of this machine. Hashes and generated ids
// have none of these shapes and stay.
package redact

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"mcpworks/internal/secret"
)

// Redacted stands wherever a secret would have stood (18.16).
const Redacted = secret.Redacted

// Rules say what a Redactor knows about this process. The zero value has it look
// for names and shapes only.
type Rules struct {
	// Values are secrets wherever they occur, see Secrets.
	Values []string
	// Places are folders of this machine.
	Places []Place
}

// A Redactor redacts. Many goroutines may use it.
type Redactor struct {
	values *secret.Redactor
	coded  []string // stretches of Base64 that only a value can have made, longest first
	places []Place
}

// New returns a redactor.
func New(rules Rules) *Redactor {
	values := make([]secret.String, 0, len(rules.Values))
	for _, value := range rules.Values {
		values = append(values, secret.New(value))
	}
	return &Redactor{values: secret.NewRedactor(values...), coded: codedForms(rules.Values), places: sorted(rules.Places)}
}

// Text redacts text that is not known to have a structure. What the value of a
// member called password is, for instance, Value knows better.
func (r *Redactor) Text(text string) string {
	return hide(shapes(r.Known(text)), r.places)
}

// Value redacts a JSON value as encoding/json decodes it; other Go values are
// taken for what encoding/json makes of them. It changes nothing in place.
func (r *Redactor) Value(value any) any {
	switch value := value.(type) {
	case nil, bool, json.Number, float64, int, int64:
		return value
	case string:
		return r.Text(value)
	case []any:
		list := make([]any, len(value))
		for i, element := range value {
			list[i] = r.Value(element)
		}
		return list
	case map[string]any:
		object := make(map[string]any, len(value))
		for _, name := range slices.Sorted(maps.Keys(value)) {
			object[r.Text(name)] = r.member(name, value[name])
		}
		return object
	}
	text, err := json.Marshal(value)
	if err != nil {
		return Redacted
	}
	decoded, err := decode(text)
	if err != nil {
		return Redacted
	}
	return r.Value(decoded)
}

func (r *Redactor) member(name string, value any) any {
	if value != nil && IsSecretName(name) {
		return Redacted
	}
	return r.Value(value)
}

// JSON redacts JSON text; members come out sorted by name. Text that is not JSON
// is an error, which repeats nothing of it.
func (r *Redactor) JSON(text []byte) ([]byte, error) {
	value, err := decode(text)
	if err != nil {
		return nil, errNotJSON
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(r.Value(value)); err != nil {
		return nil, errNotJSON
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}
