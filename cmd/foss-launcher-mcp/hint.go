package main

import (
	"cmp"
	"fmt"
	"strings"

	"mcpworks/packs/launch"
)

// options are what arguments of tools are called here.
var options = map[string]string{
	"/run_id": "the name of the run", "/taskcard_id": "the name of the taskcard", "/artifact_name": "the name of the file", "/page_size": "--page-size",
	"/cursor": optCursor, "/idempotency_key": "--key", "/reason": "--reason", "/filter/started_after": "--after", "/filter/started_before": "--before",
	"/github_repo_url": "the repository", "/url": "the address", "family": "--family", "target_platform": "--platform", "site_profile": "--profile",
	"product_slug": "--product",
}

// explained is what a tool says is wrong, in the words of the command line.
func (c *call) explained(e *launch.Error) string {
	text := e.Message
	violations, _ := e.Details["violations"].([]any)
	for i, v := range violations {
		member, _ := v.(map[string]any)
		path, _ := member["path"].(string)
		wrong := fmt.Sprintf("%s %v", cmp.Or(options[path], path), member["message"])
		switch {
		case i == 0 && e.Code == launch.SchemaValidationFailed && !strings.HasPrefix(path, "/run_config"):
			text = wrong
		case strings.Contains(e.Message, fmt.Sprint(member["message"])): // it is all there is to say
			text = strings.Replace(text, path, cmp.Or(options[path], path), 1)
		default:
			text += "; " + wrong
		}
	}
	return text
}

// hintFor is what can be done about an error, as a command if it can be one.
func (c *call) hintFor(e *launch.Error) string {
	if strings.Contains(c.explained(e), "allow_local_repos") {
		return "to take repositories of this machine, add " + optAllowLocal + "; a site profile of your own has to say it itself"
	}
	if strings.Contains(e.Message, "network_allowlist of this process") {
		return "to let runs talk to it, add " + optAllowHost + " with it"
	}
	runID := cmp.Or(e.RunID, "RUN")
	switch e.Code {
	case launch.RunNotFound:
		return "these are the runs there are: " + c.again("list")
	case launch.ArtifactNotFound:
		return "these are the files of the run: " + c.again("artifact", runID)
	case launch.RunLocked:
		return "somebody else works on the run; see how it goes on: " + c.again("watch", runID)
	case launch.IllegalState:
		if e.Details["activity"] != nil { // somebody works on it
			return "wait until it rests: " + c.again("watch", runID)
		}
		return "see how the run is: " + c.again("status", runID)
	case launch.CommitServiceError:
		if strings.Contains(e.SuggestedFix, "force_from") {
			return "let it begin again: " + c.again("resume", runID, "--force-from", "CREATED")
		}
	case launch.FixExhausted, launch.FixUnfixable, launch.FixNoDiff:
		return "see how the run is: " + c.again("status", runID)
	case launch.EventChainBroken:
		return "what it has made can still be read: " + c.again("artifact", runID)
	case launch.ToolchainMissing:
		return "install git 2.30 or newer, so that it is found in PATH"
	case launch.RepoNotFound:
		return "it has to be a git repository with at least one commit; git log shows whether it is"
	case launch.SchemaValidationFailed, launch.PathRejected:
		return c.formHint(e)
	case launch.InvalidInput:
		if e.Tool == "validate_taskcard" {
			return c.formHint(e)
		}
		if e.Tool == "launch_start_run_from_product_url" && e.Details["missing_fields"] != nil {
			return "start from its repository, and let runs talk to its host: " + c.again("start-repo", "URL", optAllowHost, "HOST")
		}
	case launch.PolicyViolation:
		if host, ok := e.Details["host"].(string); ok {
			return "to let runs talk to it, add " + optAllowHost + " " + host
		}
	}
	return cmp.Or(suggestion(e), e.SuggestedFix)
}

// formHint shows what a name looks like. Examples of whole calls are for tools.
func (c *call) formHint(e *launch.Error) string {
	switch {
	case e.Tool == "validate_taskcard":
		return "a taskcard is called TC-1, say; these are all: " + c.again("taskcards")
	case e.RunID != "" || e.Tool == "list_runs":
		return ""
	case strings.HasPrefix(e.Tool, "launch_start"):
		return launch.Name + " " + c.verb.Name + " --help shows how it is used"
	}
	return "these are the runs there are: " + c.again("list")
}

// suggestion names the options that are missing, and what they can be.
func suggestion(e *launch.Error) string {
	suggested, _ := e.Details["suggested_values"].(map[string]any)
	var hints []string
	for _, name := range []string{"family", "target_platform", "site_profile"} {
		values, _ := suggested[name].([]any)
		if len(values) > 0 {
			hints = append(hints, fmt.Sprintf("add %s with one of %s", options[name], strings.Trim(fmt.Sprint(values), "[]")))
		}
	}
	return strings.Join(hints, "; ")
}
