package jsonschema

import (
	"encoding/json"
	"errors"
	"runtime"
	"strings"
	"testing"

	lib "github.com/santhosh-tekuri/jsonschema/v6"

	"mcpworks/internal/rawjson"
)

func mustCompile(t testing.TB, schema string) *Schema {
	t.Helper()
	s, err := Compile([]byte(schema))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func mustDecode(t testing.TB, text string) any {
	t.Helper()
	v, err := rawjson.Decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// listOf writes an array of n equal elements.
func listOf(n int, element string) string {
	return "[" + strings.Repeat(element+",", n-1) + element + "]"
}

// allocated counts the bytes that f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// However much is wrong with a value, 20 violations are all that is paid for.
func TestManyViolationsCostNoMoreThanTwenty(t *testing.T) {
	const n = 100_000
	text := `{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}`
	for _, tt := range []struct {
		about, schema, value string
	}{
		{"huge numbers", text, `{"k":` + listOf(n, "1e999") + `}`},
		{"huge numbers under a long name", text, `{"` + strings.Repeat("k", 1<<20) + `":` + listOf(n, "1e999") + `}`},
		{"huge numbers, by the library", `{"not":{"type":"null"}}`, listOf(n, "1e999")},
		{"bad items", `{"properties":{"k":{"items":{"type":"string"}}}}`, `{"k":` + listOf(n, "0") + `}`},
		{"bad items under a long name", `{"additionalProperties":{"items":{"type":"string"}}}`, `{"` + strings.Repeat("k", 1<<20) + `":` + listOf(n, "0") + `}`},
		{"bad items of many parts", `{"allOf":[` + strings.Repeat(`{"items":{"type":"string"}},`, 50) + `true]}`, listOf(n, "0")},
		{"items that fit no alternative", `{"items":{"anyOf":[{"type":"string"},{"items":{"type":"string"}}]}}`, listOf(n, "[1,2]")},
		{"no alternative fits the items", `{"anyOf":[{"items":{"type":"string"}},{"items":{"type":"null"}}]}`, listOf(n, "0")},
		{"numbers out of bounds", `{"items":{"minimum":0}}`, listOf(n, "-1e-400")},
	} {
		t.Run(tt.about, func(t *testing.T) {
			s, v := mustCompile(t, tt.schema), mustDecode(t, tt.value)
			var list []Violation
			bytes := allocated(func() { list = s.Validate(v) })
			if len(list) == 0 || len(list) > maxViolations {
				t.Errorf("%d violations", len(list))
			}
			if bytes > 128<<10 {
				t.Errorf("allocated %d bytes", bytes)
			}
		})
	}
}

// Members cost their names, to be visited in order.
func TestManyMembersCostTheirNames(t *testing.T) {
	const n = 10_000
	object := make(map[string]any, n)
	for i := range n {
		object[strings.Repeat("k", maxToken)+string(rune('a'+i%26))+strings.Repeat("x", i/26)] = json.Number("0")
	}
	s := mustCompile(t, `{"additionalProperties":false}`)
	if bytes := allocated(func() { s.Validate(object) }); bytes > 256<<10 {
		t.Errorf("allocated %d bytes", bytes)
	}
}

// What is valid costs nothing, whatever its numbers look like.
func TestNumbersDoNotAllocate(t *testing.T) {
	s := mustCompile(t, `{"items":{"type":["integer","string"],"minimum":-5,"maximum":1e300}}`)
	v := mustDecode(t, `[1,-5,1.0,1e2,1e300,12345678901234567890,"a",0.5e1,-0.0]`)
	if n := testing.AllocsPerRun(100, func() {
		if list := s.Validate(v); list != nil {
			t.Error(list)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestLibrarySeesBoundedValues(t *testing.T) {
	s := mustCompile(t, `{"items":{"type":"string"},"not":{"type":"null"}}`)
	if s.shape != nil {
		t.Fatal("has a shape")
	}
	if list := s.Validate(mustDecode(t, listOf(maxValues-1, `""`))); list != nil {
		t.Errorf("violations: %v", list)
	}
	v := mustDecode(t, listOf(maxValues, "0"))
	want := "has more than 50000 values, too many for its schema"
	if n := testing.AllocsPerRun(5, func() {
		if list := s.Validate(v); len(list) != 1 || list[0].Message != want {
			t.Errorf("violations: %v", list)
		}
	}); n > 5 {
		t.Errorf("%v allocations", n)
	}
}

// Of all that the library finds, words are found for twenty.
func TestLibraryFailuresAreDescribedOnlyIfShown(t *testing.T) {
	name := strings.Repeat("1", 1<<20)
	s := mustCompile(t, `{"additionalProperties":{"items":{"enum":["a","b"]}},"not":{"type":"null"}}`)
	var failure *lib.ValidationError
	err := s.compiled.Validate(mustDecode(t, `{"`+name+`":`+listOf(10_000, "0")+`,"`+name+`1":`+listOf(10_000, "0")+`}`))
	if !errors.As(err, &failure) {
		t.Fatal(err)
	}
	var list []Violation
	n := testing.AllocsPerRun(1, func() { list = violations(failure) })
	// The library allocates to name a keyword; nothing else is per failure.
	if len(list) != maxViolations || n > 20_000+1000 {
		t.Errorf("%d violations, %v allocations", len(list), n)
	}
}

func TestCut(t *testing.T) {
	for _, tt := range []struct {
		s     string
		runes int
		want  string
	}{
		{"", 0, ""}, {"a", 0, "…"}, {"ab", 2, "ab"}, {"abc", 2, "ab…"}, {"日本語", 3, "日本語"}, {"日本語", 2, "日本…"}, {"é日", 1, "é…"},
	} {
		if got := cut(tt.s, tt.runes); got != tt.want {
			t.Errorf("cut(%q, %d) = %q, want %q", tt.s, tt.runes, got, tt.want)
		}
	}
	long := strings.Repeat("é", 1<<20)
	var short string
	if bytes := allocated(func() { short = cut(long, maxToken) }); bytes > 4<<10 || len(short) > 1<<10 {
		t.Errorf("allocated %d bytes for %d", bytes, len(short))
	}
}
