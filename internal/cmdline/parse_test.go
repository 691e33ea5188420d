package cmdline_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"mcpworks/internal/cmdline"
)

var grammar = cmdline.Grammar{
	Program:    "tool",
	Example:    "tool do --all",
	Everywhere: []cmdline.Option{{Name: "--all"}},
	Targeted: []cmdline.Option{
		{Name: "--format", Kind: cmdline.Text, Choices: []string{"text", "json"}},
		{Name: "--era", Kind: cmdline.Text, Suggested: []string{"old", "new"}},
		{Name: "--key", Kind: cmdline.Path, Secret: true, Many: true},
	},
	NoTarget:   "the target is missing",
	Shorthands: map[string]string{"-f": "--format", "-h": "--help", "-V": "--version", "-vv": "--all"},
}

var verbs = []cmdline.Verb{
	{Name: "do", Help: "how to do", Target: true, Operands: []string{"WHAT"}},
	{Name: "look", Target: true, Alone: true, Options: []cmdline.Option{
		{Name: "--format", Kind: cmdline.Text, Choices: []string{"text", "markdown"}},
		{Name: "--wait", Kind: cmdline.Duration}, {Name: "--times", Kind: cmdline.Count},
	}},
	{Name: "make", Operands: []string{"A", "[B]"}, Options: []cmdline.Option{{Name: "--to", Kind: cmdline.Path, Required: true}}},
	{Name: "teach", Operands: []string{"SHELL"}, Words: []string{"one", "two"}},
	{Name: "version"},
	{Name: "help", Help: "how to ask", Operands: []string{"[COMMAND]"}},
}

// B1.1: options stand before the target, and all behind it is for the server.
func TestCommandLinesThatAreUsed(t *testing.T) {
	for _, test := range []struct {
		args []string
		verb string
		want cmdline.Arguments
	}{
		{[]string{"do", "--all", "this", "-f=json", "server", "--all", "-x"}, "do", cmdline.Arguments{
			Values: map[string][]string{"--all": {""}, "--format": {"json"}}, Operands: []string{"this"}, Target: []string{"server", "--all", "-x"},
		}},
		{[]string{"do", "--key", "a", "this", "--key=b=c", "--", "--server"}, "do", cmdline.Arguments{
			Values: map[string][]string{"--key": {"a", "b=c"}}, Operands: []string{"this"}, Target: []string{"--server"},
		}},
		{[]string{"look"}, "look", cmdline.Arguments{Values: map[string][]string{}}},
		{[]string{"look", "--", "--", "x"}, "look", cmdline.Arguments{Values: map[string][]string{}, Target: []string{"--", "x"}}},
		{[]string{"make", "-", "--to", "-x-", "--", "-b"}, "make", cmdline.Arguments{Values: map[string][]string{"--to": {"-x-"}}, Operands: []string{"-", "-b"}}},
		{[]string{"make", "--help", "--nonsense"}, "help", cmdline.Arguments{Operands: []string{"make"}}},
		{[]string{"do", "-V"}, "version", cmdline.Arguments{}},
		{[]string{"-h", "do"}, "help", cmdline.Arguments{Values: map[string][]string{}, Operands: []string{"do"}}},
		{[]string{"--version"}, "version", cmdline.Arguments{Values: map[string][]string{}}},
		{[]string{"do", "this", "server", "--help"}, "do", cmdline.Arguments{
			Values: map[string][]string{}, Operands: []string{"this"}, Target: []string{"server", "--help"},
		}},
	} {
		v, given, err := cmdline.Parse(grammar, verbs, test.args)
		if diff := cmp.Diff(test.want, given); err != nil || v.Name != test.verb || diff != "" {
			t.Errorf("%q is %s, %v: %s", test.args, v.Name, err, diff)
		}
	}
}

// Whatever cannot be used is refused with what to do about it.
func TestCommandLinesThatAreRefused(t *testing.T) {
	usage := func(verb string) string { return "tool " + verb + " --help shows how it is used" }
	for _, test := range []struct {
		args []string
		want cmdline.Mistake
	}{
		{nil, cmdline.Mistake{Message: "no command was given", Hint: "tool help shows what it can do"}},
		{[]string{"mak"}, cmdline.Mistake{Message: `there is no command "mak"`, Hint: "did you mean tool make?"}},
		{[]string{"xyzzy"}, cmdline.Mistake{Message: `there is no command "xyzzy"`, Hint: "the commands are do, look, make, teach, version, help"}},
		{[]string{"--all"}, cmdline.Mistake{Message: `"--all" comes before any command`, Hint: "the command is the first word: tool do --all"}},
		{[]string{"do"}, cmdline.Mistake{Message: "the argument WHAT is missing", Hint: usage("do")}},
		{[]string{"do", "it"}, cmdline.Mistake{Message: "the target is missing", Hint: usage("do")}},
		{[]string{"look", ""}, cmdline.Mistake{Message: "the target is missing", Hint: usage("look")}},
		{[]string{"do", "--formt", "x"}, cmdline.Mistake{Message: `do has no option "--formt"`, Hint: "did you mean --format?"}},
		{[]string{"do", "--x"}, cmdline.Mistake{Message: `do has no option "--x"`, Hint: usage("do")}},
		{[]string{"do", "-f", "text", "--format=json"}, cmdline.Mistake{Message: "the option --format was given twice", Hint: usage("do")}},
		{[]string{"do", "--all=yes"}, cmdline.Mistake{Message: "the option --all takes no value", Hint: usage("do")}},
		{[]string{"do", "-f"}, cmdline.Mistake{Message: "the option --format needs a value", Hint: usage("do")}},
		{[]string{"do", "--era", "--format=json"}, cmdline.Mistake{
			Message: "the option --era needs a value, and --format is an option", Hint: "if that is the value, write --era=--format=json",
		}},
		{[]string{"do", "--era", "--key=swordfish"}, cmdline.Mistake{ // a secret is not repeated
			Message: "the option --era needs a value, and --key is an option", Hint: "if that is the value, write --era=--key",
		}},
		{[]string{"look", "-f", "json"}, cmdline.Mistake{Message: `the value of --format must be text or markdown, not "json"`, Hint: usage("look")}},
		{[]string{"look", "--wait", "0"}, cmdline.Mistake{Message: `the value of --wait must be a time above 0 like 30s or 2m, not "0"`, Hint: usage("look")}},
		{[]string{"look", "--times", "1.5"}, cmdline.Mistake{Message: `the value of --times must be a whole number above 0, not "1.5"`, Hint: usage("look")}},
		{[]string{"make", "a"}, cmdline.Mistake{Message: "the option --to is missing", Hint: usage("make")}},
		{[]string{"make", "a", "--to="}, cmdline.Mistake{Message: "the value of --to is empty", Hint: usage("make")}},
		{[]string{"make", "", "--to=x"}, cmdline.Mistake{Message: "an argument is empty", Hint: usage("make")}},
		{[]string{"make", "a", "b", "c"}, cmdline.Mistake{Message: `make has no place for the argument "c"`, Hint: usage("make")}},
	} {
		_, _, err := cmdline.Parse(grammar, verbs, test.args)
		var got *cmdline.Mistake
		if !errors.As(err, &got) {
			t.Errorf("%q gives %v", test.args, err)
		} else if diff := cmp.Diff(test.want, *got); diff != "" {
			t.Errorf("%q: %s", test.args, diff)
		}
	}
}

// Every command line is used or refused as a Mistake, and what is used holds
// all that the verb needs.
func TestEveryCommandLineIsUsedOrRefused(t *testing.T) {
	words := []string{"--", "-", "-h", "-V", "-x", "=", "--=", "", "x", "--to=", "--to=x", "-f", "text", "--nonsense", "7"}
	for _, v := range verbs {
		words = append(words, v.Name)
		for _, o := range grammar.Options(v) {
			words = append(words, o.Name)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		args := rapid.SliceOfN(rapid.SampledFrom(words), 0, 8).Draw(t, "args")
		v, given, err := cmdline.Parse(grammar, verbs, args)
		if err != nil {
			if wrong := new(cmdline.Mistake); !errors.As(err, &wrong) || wrong.Message == "" || wrong.Hint == "" {
				t.Fatalf("%q gives %#v", args, err)
			}
			return
		}
		if v.Target && !v.Alone && len(given.Target) == 0 {
			t.Fatalf("%q has no target", args)
		}
		for _, o := range grammar.Options(v) {
			if o.Required && !given.Has(o.Name) {
				t.Fatalf("%q lacks %s", args, o.Name)
			}
			for _, value := range given.Values[o.Name] {
				if o.Choices != nil && !slices.Contains(o.Choices, value) {
					t.Fatalf("%q gives %s the value %q", args, o.Name, value)
				}
			}
		}
	})
}

func TestValues(t *testing.T) {
	_, given, err := cmdline.Parse(grammar, verbs, []string{"look", "--wait", "90", "--key=a", "--key", "b"})
	if err != nil {
		t.Fatal(err)
	}
	if got := given.Duration("--wait", time.Second); got != 90*time.Second {
		t.Errorf("--wait is %v", got)
	}
	if got := given.Duration("--none", time.Second); got != time.Second {
		t.Errorf("what is not there is %v", got)
	}
	if given.Value("--key") != "a" || given.Value("--era") != "" || given.Has("--era") {
		t.Errorf("the values are %q", given.Values)
	}
}

// B1.2: words behind the target that look like options of ours.
func TestSwallowed(t *testing.T) {
	got := grammar.Swallowed(verbs[0], []string{"server", "--format=json", "-f", "--era", "--other", "--era"})
	if diff := cmp.Diff([]string{"--format", "--era"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestHelp(t *testing.T) {
	for _, test := range []struct {
		operands   []string
		want, fail string
	}{
		{nil, "overview", ""},
		{[]string{"do"}, "how to do", ""},
		{[]string{"--help"}, "how to ask", ""},
		{[]string{"doo"}, "", `there is no command "doo"`},
	} {
		got, err := cmdline.Help(grammar, verbs, "overview", cmdline.Arguments{Operands: test.operands})
		if string(got) != test.want || (err == nil) != (test.fail == "") || err != nil && err.Error() != test.fail {
			t.Errorf("%q gives %q, %v", test.operands, got, err)
		}
	}
}
