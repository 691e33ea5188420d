package main

import "testing"

func TestArgumentsAreConvertedBySchema(t *testing.T) {
	for _, c := range []struct{ schema, value, want string }{
		{`{"type":"string"}`, "5", `"5"`},
		{`{"type":"string"}`, "", `""`},
		{`{"type":"integer"}`, "5", `5`},
		{`{"type":"integer"}`, "2.0", `2.0`},
		{`{"type":"integer"}`, "2.5", ``},
		{`{"type":"integer"}`, "007", ``},
		{`{"type":"integer"}`, `"5"`, ``},
		{`{"type":"number"}`, "12345678901234567890.5", `12345678901234567890.5`},
		{`{"type":"number"}`, "5", `5`},
		{`{"type":"number"}`, "NaN", ``},
		{`{"type":"boolean"}`, "true", `true`},
		{`{"type":"boolean"}`, "1", ``},
		{`{"type":"null"}`, "null", `null`},
		{`{"type":["integer","null"]}`, "null", `null`},
		{`{"type":["string","null"]}`, "null", `"null"`},
		{`{"type":"array"}`, "[1, 2]", `[1,2]`},
		{`{"type":"array"}`, "a,b", ``},
		{`{"type":"object"}`, `{"a": 1}`, `{"a":1}`},
		{`{"enum":["a","b"]}`, "a", `"a"`},
		{`{"enum":[1,2]}`, "1", `1`},
		{`{"const":true}`, "true", `true`},
		{`{"anyOf":[{"type":"integer"},{"type":"array"}]}`, "[1]", `[1]`},
		{`{"allOf":[{"description":"x"},{"type":"integer"}]}`, "1", `1`},
		{`{"$ref":"#/$defs/a~1b"}`, "1", `1`},
		{`{"$ref":"#/$defs/loop"}`, "1", `"1"`},
		{`{"$ref":"https://example.com/other"}`, "1", `"1"`},
		{`{}`, "1", `"1"`},
		{`true`, "1", `"1"`},
	} {
		root := []byte(`{"$defs":{"a/b":{"type":"integer"},"loop":{"$ref":"#/$defs/loop"}}}`)
		got, err := convert(root, []byte(c.schema), c.value)
		if string(got) != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s %q becomes %s, %v, want %s", c.schema, c.value, got, err, c.want)
		}
	}
}

func TestMatches(t *testing.T) {
	result := []byte(`{"content":[{"text":"5"},{"text":"a=b"}],"n":1.0,"o":{"x y":{"b":2,"a":[true,null]}},"":3}`)
	for expected, want := range map[string]bool{
		`content[0].text=5`:                true,
		`$.content[1].text=a=b`:            true,
		`content[2].text=5`:                false,
		`content[0]={"text":"5"}`:          true,
		`n=1`:                              true,
		`n=1e0`:                            true,
		`n=2`:                              false,
		`o["x y"].a[0]=true`:               true,
		`o["x y"]={"a":[true,null],"b":2}`: true,
		`o["x y"]={"a":[true],"b":2}`:      false,
		`missing=`:                         false,
	} {
		m, err := parseMatch(expected)
		if err != nil {
			t.Errorf("%s: %v", expected, err)
			continue
		}
		if err := m.check(result); (err == nil) != want {
			t.Errorf("%s: %v", expected, err)
		}
	}
	for _, wrong := range []string{"", "=", "a", "a.=1", "a..b=1", "a[=1", "a[x]=1", `a["x=1`, "a[1]b=2", "a[-1]=1"} {
		if m, err := parseMatch(wrong); err == nil {
			t.Errorf("%q is taken as %+v", wrong, m)
		}
	}
}

func TestWhatIsShownIsHarmless(t *testing.T) {
	for in, want := range map[string]string{
		"plain ä 日本 👩‍💻":     "plain ä 日本 👩‍💻",
		"\x1b[31m\x07":       `\x1b[31m\x07`,
		"a\r\nb\tc\rd":       "a\nb\tc\\rd",
		"\u202e\u009b\u2028": `\u202e\u009b\u2028`,
		"\xff\U000e0041":     `\xff\U000e0041`,
	} {
		if got := block(in); got != want {
			t.Errorf("%q is shown as %q, want %q", in, got, want)
		}
	}
	if got, want := string(pretty([]byte("{\"a\":\"\u009b\U000e0041\x7f\"}"))), "{\n  \"a\": \"\\u009b\\udb40\\udc41\\u007f\"\n}\n"; got != want {
		t.Errorf("JSON is shown as %q, want %q", got, want)
	}
}
