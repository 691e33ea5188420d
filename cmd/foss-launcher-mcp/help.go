package main

import (
	"context"

	"mcpworks/internal/cmdline"
)

const overview = `Turns a product's repository into pages of a site and a pull request, and serves that to MCP clients.

Usage: foss-launcher-mcp [COMMAND] [OPTIONS]

Without a command it serves an MCP client over standard input and output. To try it by hand:

  foss-launcher-mcp start-repo ./FOLDER --allow-local-repos
  foss-launcher-mcp start-repo https://github.com/OWNER/NAME --allow-host github.com
  foss-launcher-mcp list
  foss-launcher-mcp artifact RUN
  foss-launcher-mcp open-pr RUN

Commands:
  start            Start a run from a run_config file
  start-product    Start a run from the address of a product page
  start-repo       Start a run from a repository
  status           Print how a run is
  watch            Tell what happens to a run that another process executes
  list             List runs
  artifact         Print a file of a run, or list them
  validate         Have the gates judge a run again
  fix              Put the next issue of a run right
  resume           Let a run go on
  cancel           End a run for good
  open-pr          Open the pull request of a run
  telemetry        Print what is known of a run after the fact
  taskcards        List taskcards
  check-taskcard   Check a taskcard
  stdio            Serve an MCP client over standard input and output
  version          Print the version
  help             Print this help, or that of a command: foss-launcher-mcp help start

` + everywhere + `
Results go to standard output, as text or, with --json, as the tool's JSON; everything else goes to standard error. Each
command does what the MCP tool does that its help names, on the same data directory, also while a server runs on it.

` + exitCodes

const everywhere = `Options of every command:
      --config FILE           Configuration in YAML (default: the variable LAUNCHER_CONFIG)
      --data-dir DIR          Where runs are kept (default: foss-launcher in the user's data directory)
      --profiles-dir DIR      Further site profiles
      --taskcards-dir DIR     Taskcards (default: taskcards in the data directory)
      --allow-local-repos     The site profile default takes repositories of this machine
      --allow-host HOST       A host that runs may talk to, such as github.com; can be given again (default: none)
      --verbose               Log more on standard error
  -h, --help                  Print this help, or that of the command
  -V, --version               Print the version
`

const exitCodes = `Exit codes:
  0        Success
  2        Bad command line, wrong arguments, not possible in the state of the
           run, or a verdict against it
  3        A policy forbids it
  4        Somebody else is needed: the network, git, the commit service, a lock
  5        Internal error
  128 + n  Stopped by signal n
`

// helpOf is the help of a command: what it does, its usage, and its options.
func helpOf(does, usage, options string) string {
	text := does + "\n\nUsage: foss-launcher-mcp " + usage + "\n\n"
	if options != "" {
		text += "Options:\n" + options + "\n"
	}
	return text + everywhere + "\n" + exitCodes
}

const (
	keyHelp    = "      --key KEY               With the same key the same request starts one run only\n"
	detachHelp = "      --detach                Leave the work to a server on the same data directory\n"
	jsonHelp   = "      --json                  Print the answer of the tool as JSON\n"
	pageHelp   = "      --page-size N           How many to print (default 50)\n      --cursor CURSOR         The next_cursor of the page before\n"
)

var (
	startHelp = helpOf("Starts a run from a run_config in YAML or JSON, and executes it until it rests (launch_start_run).",
		"start FILE [--key KEY] [--detach]   (FILE may be - for standard input)", keyHelp+detachHelp+jsonHelp)
	startProductHelp = helpOf("Starts a run from the address of a product page, and executes it until it rests (launch_start_run_from_product_url).",
		"start-product URL [--key KEY] [--detach]", keyHelp+detachHelp+jsonHelp)
	startRepoHelp = helpOf("Starts a run from a repository, and executes it until it rests (launch_start_run_from_github_repo_url).",
		"start-repo REPOSITORY [--family NAME] [--platform NAME] [--profile NAME] [--ref REF] [--key KEY] [--detach]\n\n"+
			"REPOSITORY is an address, such as https://github.com/OWNER/NAME, or a folder of this machine.",
		"      --family NAME           The family of the product, if it cannot be told\n"+
			"      --platform NAME         Its platform, if it cannot be told\n"+
			"      --profile NAME          The site profile\n"+
			"      --ref REF               A branch, a tag or a commit (default: the newest commit)\n"+keyHelp+detachHelp+jsonHelp)
	statusHelp = helpOf("Prints how a run is (get_run_status).", "status RUN", jsonHelp)
	watchHelp  = helpOf("Tells what happens to a run, from its beginning until it rests, and prints how it then is (get_run_status).\n\n"+
		"It executes nothing: that is done by start, resume, or a server on the same data directory.", "watch RUN", jsonHelp)
	listHelp = helpOf("Lists runs, the latest first (list_runs).",
		"list [--product SLUG] [--family NAME] [--platform NAME] [--state STATE]... [--after TIME] [--before TIME]",
		"      --product SLUG          Runs of a product\n      --family NAME           Runs of a family\n      --platform NAME         Runs for a platform\n"+
			"      --state STATE           Runs in a state; can be given again\n      --after TIME            Runs started after a time, such as 2026-01-01T00:00:00Z\n"+
			"      --before TIME           Runs started before a time\n"+pageHelp+jsonHelp)
	artifactHelp = helpOf("Prints a file of a run as it is (get_artifact), or without a name lists them (get_run_status).\n\n"+
		"The end of a name is enough if no other has it: docs/overview.md is the page overview.md of the section docs.", "artifact RUN [NAME]", "")
	validateHelp = helpOf("Has the gates judge a run again, and prints the report (validate_run).", "validate RUN [--gate NAME]...",
		"      --gate NAME             Only this gate, without consequences; can be given again\n"+jsonHelp)
	fixHelp    = helpOf("Puts the next issue of a run right and validates it again (launch_fix_next).", "fix RUN", jsonHelp)
	resumeHelp = helpOf("Lets a run go on, and executes it until it rests (resume_run).", "resume RUN [--until STATE] [--force-from STATE] [--detach]",
		"      --until STATE           next_stable, READY_FOR_PR or DONE (default: as far as it was to go)\n"+
			"      --force-from STATE      Do the work again from CREATED, FACTS_READY, PLAN_READY or DRAFT_READY\n"+detachHelp+jsonHelp)
	cancelHelp = helpOf("Ends a run for good (cancel_run).", "cancel RUN [--reason TEXT]", "      --reason TEXT           Why\n"+jsonHelp)
	openPRHelp = helpOf("Opens the pull request of a run that is READY_FOR_PR (launch_open_pr).", "open-pr RUN [--draft] [--approved-by NAME]",
		"      --draft                 Open it as a draft\n      --approved-by NAME      The person who has agreed, where that is needed\n"+jsonHelp)
	telemetryHelp = helpOf("Prints what is known of a run after the fact (get_telemetry).", "telemetry RUN [--include WHAT]...",
		"      --include WHAT          summary, runs, events or tool_calls; can be given again (default: all but events; with --json summary and runs)\n"+pageHelp+jsonHelp)
	taskcardsHelp = helpOf("Lists taskcards by number (list_taskcards).", "taskcards [--status STATUS] [--tag TAG] [--active]",
		"      --status STATUS         Draft, Ready, In-Progress, Blocked, Done or Cancelled\n      --tag TAG               Those with a tag\n"+
			"      --active                Those that runs may rely on\n"+pageHelp+jsonHelp)
	checkTaskcardHelp = helpOf("Checks a taskcard and lists all its errors (validate_taskcard).", "check-taskcard ID [--evidence]",
		"      --evidence              Also look for the evidence that it names\n"+jsonHelp)
	stdioHelp = helpOf("Serves an MCP client over standard input and output, and executes queued runs meanwhile.\n\n"+
		"This is what happens without a command. For example: claude mcp add launcher -- foss-launcher-mcp --allow-host github.com", "[stdio]", "")
	versionHelp = helpOf("Prints the name and the version of this program.", "version", "")
	helpHelp    = helpOf("Prints help, on everything or on one command.", "help [COMMAND]", "")
)

func helpVerb() verb {
	return verb{Verb: cmdline.Verb{Name: "help", Help: helpHelp, Operands: []string{"[COMMAND]"}}, run: func(_ context.Context, c *call) ([]byte, error) {
		return cmdline.Help(grammar, verbs(), overview, c.Arguments)
	}}
}
