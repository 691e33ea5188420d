package operate

import (
	"context"
	"encoding/json"
	"reflect"

	"mcpworks/packs/launch/internal/redact"
)

// Allowed says whether the network allowlist has a host.
func (l *Launcher) Allowed(host string) bool { return l.allowed(host) }

// LookAfter does once what is done every minute.
func (l *Launcher) LookAfter(ctx context.Context) { l.lookAfter(ctx) }

// SweepLooks does what is done at the start.
func (l *Launcher) SweepLooks() { l.sweepLooks() }

// Expire does once what is done every hour.
func (l *Launcher) Expire(ctx context.Context) { l.expire(ctx) }

// HoldAtRest gets a run as operations do after they have waited for it.
func (l *Launcher) HoldAtRest(ctx context.Context, runID string) error {
	_, err := l.holdAtRest(ctx, Caller{}, runID, "validate")
	return err
}

// RedactPayload is what a log does with a payload.
func RedactPayload(payload any) any { return redact.New(redact.Rules{}).Payload(payload) }

// Filled is a payload as decoded JSON, with a text in all its strings and as the
// name of all members of its maps.
func Filled(payload any, text string) any {
	value := reflect.New(reflect.TypeOf(payload)).Elem()
	fill(value, text)
	encoded, err := json.Marshal(value.Interface())
	if err != nil {
		panic(err)
	}
	var decoded any
	if err := json.Unmarshal(encoded, &decoded); err != nil {
		panic(err)
	}
	return decoded
}

func fill(value reflect.Value, text string) {
	switch value.Kind() {
	case reflect.String:
		value.SetString(text)
	case reflect.Pointer:
		value.Set(reflect.New(value.Type().Elem()))
		fill(value.Elem(), text)
	case reflect.Struct:
		for i := range value.NumField() {
			fill(value.Field(i), text)
		}
	case reflect.Slice:
		value.Set(reflect.MakeSlice(value.Type(), 1, 1))
		fill(value.Index(0), text)
	case reflect.Map:
		value.Set(reflect.MakeMap(value.Type()))
		value.SetMapIndex(reflect.ValueOf(text), reflect.ValueOf(text).Convert(value.Type().Elem()))
	}
}

// EachMember calls each with all strings of decoded JSON, by the names of their
// members. The name of a member of inputs or outputs is a string itself.
func EachMember(value any, each func(name, text string)) { eachMember("", value, each) }

func eachMember(name string, value any, each func(name, text string)) {
	switch value := value.(type) {
	case string:
		each(name, value)
	case []any:
		for _, element := range value {
			eachMember(name, element, each)
		}
	case map[string]any:
		for member, inner := range value {
			if name == "inputs" || name == "outputs" {
				each(name, member)
			}
			eachMember(member, inner, each)
		}
	}
}
