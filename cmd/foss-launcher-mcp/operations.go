package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"mcpworks/internal/bounded"
	"mcpworks/internal/cmdline"
	"mcpworks/packs/launch"
)

// text is an option that goes to a tool as it is.
func text(name string, choices ...string) cmdline.Option {
	return cmdline.Option{Name: name, Kind: cmdline.Text, Choices: choices}
}

var (
	keyOption    = text("--key")
	detachOption = cmdline.Option{Name: "--detach"}
)

// operations are the verbs that do what tools do. The helps are in help.go.
func operations() []verb {
	all := []verb{
		{tool: "launch_start_run", run: follow("launch_start_run", startArguments), Verb: cmdline.Verb{
			Name: "start", Help: startHelp, Operands: []string{"FILE"}, Options: []cmdline.Option{keyOption, detachOption},
		}},
		{tool: "launch_start_run_from_product_url", run: follow("launch_start_run_from_product_url", productArguments), Verb: cmdline.Verb{
			Name: "start-product", Help: startProductHelp, Operands: []string{"URL"}, Options: []cmdline.Option{keyOption, detachOption},
		}},
		{tool: "launch_start_run_from_github_repo_url", run: follow("launch_start_run_from_github_repo_url", repoArguments), Verb: cmdline.Verb{
			Name: "start-repo", Help: startRepoHelp, Operands: []string{"REPOSITORY"},
			Options: []cmdline.Option{text("--family"), text("--platform"), text("--profile"), text("--ref"), keyOption, detachOption},
		}},
		{tool: "get_run_status", run: ask("get_run_status", runArgument, readable(statusText)), Verb: cmdline.Verb{Name: "status", Help: statusHelp, Operands: []string{"RUN"}}},
		{tool: "get_run_status", run: watchRun, Verb: cmdline.Verb{Name: "watch", Help: watchHelp, Operands: []string{"RUN"}}},
		{tool: "list_runs", run: ask("list_runs", listArguments, readable(listText)), Verb: cmdline.Verb{
			Name: "list", Help: listHelp, Options: []cmdline.Option{
				text("--product"), text("--family"), text("--platform"), {Name: "--state", Kind: cmdline.Text, Many: true},
				text("--after"), text("--before"), {Name: "--page-size", Kind: cmdline.Count}, text(optCursor),
			},
		}},
		{tool: "get_artifact", run: printArtifact, Verb: cmdline.Verb{Name: "artifact", Help: artifactHelp, Operands: []string{"RUN", "[NAME]"}}},
		{tool: "validate_run", run: ask("validate_run", validateArguments, readable(validateText), validVerdict), Verb: cmdline.Verb{
			Name: "validate", Help: validateHelp, Operands: []string{"RUN"}, Options: []cmdline.Option{{Name: "--gate", Kind: cmdline.Text, Many: true}},
		}},
		{tool: "launch_fix_next", run: ask("launch_fix_next", runArgument, readable(fixText)), Verb: cmdline.Verb{Name: "fix", Help: fixHelp, Operands: []string{"RUN"}}},
		{tool: "resume_run", run: follow("resume_run", resumeArguments), Verb: cmdline.Verb{
			Name: "resume", Help: resumeHelp, Operands: []string{"RUN"}, Options: []cmdline.Option{
				text("--until", "next_stable", "READY_FOR_PR", "DONE"), text("--force-from", "CREATED", "FACTS_READY", "PLAN_READY", "DRAFT_READY"), detachOption,
			},
		}},
		{tool: "cancel_run", run: ask("cancel_run", cancelArguments, readable(cancelText)), Verb: cmdline.Verb{
			Name: "cancel", Help: cancelHelp, Operands: []string{"RUN"}, Options: []cmdline.Option{text("--reason")},
		}},
		{tool: "launch_open_pr", run: ask("launch_open_pr", openPRArguments, readable(pullRequestText)), Verb: cmdline.Verb{
			Name: "open-pr", Help: openPRHelp, Operands: []string{"RUN"}, Options: []cmdline.Option{{Name: "--draft"}, text("--approved-by")},
		}},
		{tool: "get_telemetry", run: ask("get_telemetry", telemetryArguments, readable(telemetryText)), Verb: cmdline.Verb{
			Name: "telemetry", Help: telemetryHelp, Operands: []string{"RUN"}, Options: []cmdline.Option{
				{Name: "--include", Kind: cmdline.Text, Many: true, Choices: []string{"summary", "runs", "events", "tool_calls"}},
				{Name: "--page-size", Kind: cmdline.Count}, text(optCursor),
			},
		}},
		{tool: "list_taskcards", run: ask("list_taskcards", taskcardsArguments, readable(taskcardsText)), Verb: cmdline.Verb{
			Name: "taskcards", Help: taskcardsHelp, Options: []cmdline.Option{
				text("--status", "Draft", "Ready", "In-Progress", "Blocked", "Done", "Cancelled"), text("--tag"), {Name: "--active"},
				{Name: "--page-size", Kind: cmdline.Count}, text(optCursor),
			},
		}},
		{tool: "validate_taskcard", run: ask("validate_taskcard", taskcardArguments, readable(taskcardText), validCard), Verb: cmdline.Verb{
			Name: "check-taskcard", Help: checkTaskcardHelp, Operands: []string{"ID"}, Options: []cmdline.Option{{Name: "--evidence"}},
		}},
	}
	for i := range all {
		all[i].reads = !strings.HasPrefix(all[i].tool, "launch_start") && !strings.Contains(all[i].tool, "taskcard")
		if all[i].Name != "artifact" { // a file is printed as it is
			all[i].Options = append(all[i].Options, cmdline.Option{Name: optJSON})
		}
	}
	return all
}

// arguments collects what was said, by the names of the tool.
type arguments map[string]any

func (a arguments) text(c *call, name, option string) {
	if c.Has(option) {
		a[name] = c.Value(option)
	}
}

func (a arguments) list(c *call, name, option string) {
	if c.Has(option) {
		a[name] = c.Values[option]
	}
}

func (a arguments) count(c *call, name, option string) {
	if n, err := strconv.Atoi(c.Value(option)); err == nil {
		a[name] = n
	}
}

func runArgument(c *call) (map[string]any, error) {
	return arguments{"run_id": c.Operands[0]}, nil
}

// maxConfig bounds a run_config.
const maxConfig = 4 << 20

// startArguments reads the run_config, YAML or JSON, from a file or, named -,
// from standard input.
func startArguments(c *call) (map[string]any, error) {
	from, name := c.stdin, c.Operands[0]
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return nil, &failure{exit: launch.ExitInvalid, err: fmt.Errorf("the run_config cannot be read: %w", err)}
		}
		defer file.Close()
		if info, err := file.Stat(); err == nil && info.IsDir() {
			return nil, &failure{exit: launch.ExitInvalid, err: fmt.Errorf("%s is a folder; start-repo takes one", name)}
		}
		from = file
	}
	config, err := readConfig(from)
	if err != nil {
		return nil, &failure{exit: launch.ExitInvalid, err: fmt.Errorf("%s: %w", name, err)}
	}
	a := arguments{"run_config": config}
	a.text(c, "idempotency_key", "--key")
	return a, nil
}

func readConfig(from io.Reader) (map[string]any, error) {
	content, cut, err := bounded.Read(from, maxConfig)
	if err != nil {
		return nil, err
	}
	if cut {
		return nil, errors.New("a run_config has at most 4 MiB")
	}
	var config map[string]any
	if err := decodeYAML(content, &config, false); err != nil {
		return nil, err
	}
	if config == nil {
		return nil, errors.New("a run_config is an object in YAML or JSON")
	}
	if _, err := json.Marshal(config); err != nil {
		return nil, errors.New("a run_config has text for all its keys")
	}
	return config, nil
}

func productArguments(c *call) (map[string]any, error) {
	a := arguments{"url": c.Operands[0]}
	a.text(c, "idempotency_key", "--key")
	return a, nil
}

func repoArguments(c *call) (map[string]any, error) {
	address, err := addressOf(c.Operands[0])
	if err != nil {
		return nil, err
	}
	a, hints := arguments{"github_repo_url": address}, arguments{}
	hints.text(c, "family", "--family")
	hints.text(c, "target_platform", "--platform")
	hints.text(c, "site_profile", "--profile")
	hints.text(c, "ref", "--ref")
	if len(hints) > 0 {
		a["hints"] = hints
	}
	a.text(c, "idempotency_key", "--key")
	return a, nil
}

func listArguments(c *call) (map[string]any, error) {
	a, filter := arguments{}, arguments{}
	filter.text(c, "product_slug", "--product")
	filter.text(c, "family", "--family")
	filter.text(c, "platform", "--platform")
	filter.list(c, "state", "--state")
	filter.text(c, "started_after", "--after")
	filter.text(c, "started_before", "--before")
	if len(filter) > 0 {
		a["filter"] = filter
	}
	a.count(c, "page_size", "--page-size")
	a.text(c, "cursor", optCursor)
	return a, nil
}

func validateArguments(c *call) (map[string]any, error) {
	a := arguments{"run_id": c.Operands[0]}
	a.list(c, "gates", "--gate")
	return a, nil
}

func resumeArguments(c *call) (map[string]any, error) {
	a := arguments{"run_id": c.Operands[0]}
	a.text(c, "until", "--until")
	a.text(c, "force_from", "--force-from")
	return a, nil
}

func cancelArguments(c *call) (map[string]any, error) {
	a := arguments{"run_id": c.Operands[0]}
	a.text(c, "reason", "--reason")
	return a, nil
}

func openPRArguments(c *call) (map[string]any, error) {
	a := arguments{"run_id": c.Operands[0], "draft": c.Has("--draft")}
	if c.Has("--approved-by") && strings.TrimSpace(c.Value("--approved-by")) == "" {
		return nil, &failure{exit: launch.ExitInvalid, err: errors.New("--approved-by needs the name of whoever has approved")}
	}
	if c.Has("--approved-by") {
		a["approval"] = arguments{"approved": true, "approval_source": "manual-marker", "approver": c.Value("--approved-by")}
	}
	return a, nil
}

func telemetryArguments(c *call) (map[string]any, error) {
	a := arguments{"run_id": c.Operands[0]}
	if a.list(c, "include", "--include"); !c.Has("--include") && !c.Has(optJSON) {
		a["include"], a["page_size"] = []string{"summary", "runs", "tool_calls"}, 500
	}
	a.count(c, "page_size", "--page-size")
	a.text(c, "cursor", optCursor)
	return a, nil
}

func taskcardsArguments(c *call) (map[string]any, error) {
	if err := c.checkTaskcardsDir(); err != nil {
		return nil, err
	}
	a := arguments{}
	a.text(c, "status", "--status")
	a.text(c, "tag", "--tag")
	if c.Has("--active") {
		a["active"] = true
	}
	a.count(c, "page_size", "--page-size")
	a.text(c, "cursor", optCursor)
	return a, nil
}

// checkTaskcardsDir wants a folder of taskcards that was named to be one.
func (c *call) checkTaskcardsDir() error {
	dir := c.Value(optTaskcardsDir)
	if dir == "" {
		return nil
	}
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s is no folder", dir)
	}
	if err != nil {
		return &failure{exit: launch.ExitInvalid, err: fmt.Errorf("the folder of taskcards cannot be used: %w", err)}
	}
	return nil
}

func taskcardArguments(c *call) (map[string]any, error) {
	if err := c.checkTaskcardsDir(); err != nil {
		return nil, err
	}
	return arguments{"taskcard_id": c.Operands[0], "check_evidence": c.Has("--evidence")}, nil
}
