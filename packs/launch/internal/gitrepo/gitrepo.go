// Package gitrepo asks the real git to fetch, read and write repositories that
// strangers made.
//
// Git gets an environment of its own: no prompts, no configuration but what is
// given here, no hooks, no filters, no submodules, and only the transports that
// the operator allows. Trees are not checked out by git: their files are read
// as objects and written here, below one folder and as plain files, so nothing
// in a repository decides where or what is written. Nothing of a repository is
// ever executed.
package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Options say how git is used. The zero value is the safe default.
type Options struct {
	// Program is git, 2.30 or later; empty means the one on the PATH.
	Program string
	// AllowLocal admits file URLs and paths as remotes.
	AllowLocal bool
	// Env adds variables, such as HTTPS_PROXY, to the few that git gets.
	Env []string
	// Admit is asked before git talks to a remote, and may refuse it.
	Admit func(ctx context.Context, url string) error
	// Limits bound what a repository may cost.
	Limits Limits
}

// Limits bound what a repository may cost; 0 means the default (6.1).
type Limits struct {
	Files    int           // in a tree: 100 000
	Bytes    int64         // of a tree, and of a fetch: 2 GiB
	Time     time.Duration // of one git process: 10 minutes
	LsRemote time.Duration // of asking a remote for its refs: 60 seconds
	Output   int64         // of a git process, if read whole: 16 MiB
}

func (l Limits) orDefault() Limits {
	return Limits{
		Files: orDefault(l.Files, 100_000), Bytes: orDefault(l.Bytes, 2<<30), Time: orDefault(l.Time, 10*time.Minute),
		LsRemote: orDefault(l.LsRemote, time.Minute), Output: orDefault(l.Output, 16<<20),
	}
}

func orDefault[T comparable](value, fallback T) T {
	var zero T
	if value == zero {
		return fallback
	}
	return value
}

// Git runs git. Many goroutines may use it.
type Git struct {
	program string
	options Options
	limits  Limits
	env     []string
	locks   keyed
}

// New looks for git and checks its version.
func New(ctx context.Context, options Options) (*Git, error) {
	program, err := findProgram(orDefault(options.Program, "git"))
	if err != nil {
		return nil, &Error{Kind: Missing, Op: "find git", Err: err}
	}
	g := &Git{program: program, options: options, limits: options.Limits.orDefault(), env: environment(options)}
	version, err := g.output(ctx, process{op: "ask git for its version", args: []string{"version"}})
	if err != nil {
		return nil, err
	}
	if !recentEnough(string(version)) {
		return nil, &Error{Kind: Missing, Op: "find git", Err: errors.New("git 2.30 or later is needed, this is " + strings.TrimSpace(string(version)))}
	}
	return g, nil
}

// recentEnough reads the answer of git version.
func recentEnough(answer string) bool {
	fields := strings.Fields(answer) // git version 2.39.5 (…)
	if len(fields) < 3 {
		return false
	}
	parts := append(strings.Split(fields[2], "."), "0")
	major, err1 := strconv.Atoi(parts[0])
	minor, err2 := strconv.Atoi(parts[1])
	return err1 == nil && err2 == nil && (major > 2 || major == 2 && minor >= 30)
}

// environment is all that git sees of this process. With an empty folder for a
// home git 2.30 and 2.31, which do not know GIT_CONFIG_GLOBAL, find nothing
// there either.
func environment(options Options) []string {
	protocols := "https"
	if options.AllowLocal {
		protocols += ":file"
	}
	env := []string{
		"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "TZ=UTC",
		"HOME=" + os.DevNull, "XDG_CONFIG_HOME=" + os.DevNull,
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_ATTR_NOSYSTEM=1",
		"GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=", "SSH_ASKPASS=", "GIT_SSH_COMMAND=false",
		"GIT_ALLOW_PROTOCOL=" + protocols, "GIT_LFS_SKIP_SMUDGE=1", "GIT_OPTIONAL_LOCKS=0", "GIT_PROTOCOL_FROM_USER=0",
		"GIT_NO_REPLACE_OBJECTS=1",
	}
	return append(env, options.Env...)
}

// settings are given on every command line; they win over a repository's own
// configuration.
func (g *Git) settings() []string {
	settings := []string{
		"core.hooksPath=" + os.DevNull, "core.symlinks=false", "core.attributesFile=" + os.DevNull, "core.excludesFile=" + os.DevNull,
		"core.fsmonitor=false", "core.quotePath=false", "core.autocrlf=false", "core.logAllRefUpdates=false",
		"core.sharedRepository=0600", // whatever the umask is (5.5)
		"credential.helper=", "gc.auto=0", "maintenance.auto=false", "submodule.recurse=false", "fetch.recurseSubmodules=false",
		"filter.lfs.smudge=", "filter.lfs.process=", "filter.lfs.required=false", "http.followRedirects=false",
		"http.lowSpeedLimit=1", "http.lowSpeedTime=120", // a git whose launcher was killed ends by itself, and gives its lock back
		"commit.gpgSign=false", "tag.gpgSign=false", "protocol.version=2", "fetch.unpackLimit=1", "advice.detachedHead=false",
		"protocol.allow=never", "protocol.https.allow=always",
	}
	if g.options.AllowLocal {
		settings = append(settings, "protocol.file.allow=always")
	}
	var args []string
	for _, setting := range settings {
		args = append(args, "-c", setting)
	}
	return append(args, "--no-pager")
}

// admit refuses remotes that are no remotes, transports that are not allowed,
// and what the operator's own check refuses.
func (g *Git) admit(ctx context.Context, url string) error {
	scheme, _, isURL := strings.Cut(url, "://")
	local := !isURL && filepath.IsAbs(url) || isURL && scheme == "file"
	switch {
	case strings.HasPrefix(url, "-"), strings.ContainsFunc(url, func(r rune) bool { return r < ' ' || r == ' ' && !local || r == 0x7f }):
		return &Error{Kind: Refused, Op: "admit the remote", Err: errors.New("the address is malformed")}
	case local && !g.options.AllowLocal:
		return &Error{Kind: Refused, Op: "admit the remote", Err: errors.New("local repositories are not allowed")}
	case !local && (!isURL || scheme != "https"):
		return &Error{Kind: Refused, Op: "admit the remote", Err: errors.New("only https is allowed")}
	case g.options.Admit == nil:
		return nil
	}
	err := g.options.Admit(ctx, url)
	if _, ours := errors.AsType[*Error](err); ours || err == nil {
		return err
	}
	return &Error{Kind: Refused, Op: "admit the remote", Err: err}
}

// IsSHA says whether ref is a full commit id: 40 lower-case hexadecimal digits,
// not all of them zero (C-26).
func IsSHA(ref string) bool {
	return len(ref) == 40 && !strings.ContainsFunc(ref, func(r rune) bool { return !strings.ContainsRune("0123456789abcdef", r) }) &&
		ref != zeroSHA
}

// zeroSHA stands for "no object" in git.
const zeroSHA = "0000000000000000000000000000000000000000"

// checkRef refuses names of refs that git would not take, or take for something
// else.
func checkRef(ref string) error {
	bad := ref == "" || len(ref) > 255 || ref == zeroSHA || strings.HasPrefix(ref, "-") || strings.HasPrefix(ref, "/") || strings.HasSuffix(ref, "/") ||
		strings.HasSuffix(ref, ".") || strings.Contains(ref, "..") || strings.Contains(ref, "@{") || strings.Contains(ref, "//") ||
		strings.ContainsAny(ref, " ~^:?*[\\\x7f") || strings.ContainsFunc(ref, func(r rune) bool { return r < ' ' }) ||
		slices.ContainsFunc(strings.Split(ref, "/"), func(s string) bool { return strings.HasPrefix(s, ".") || strings.HasSuffix(s, ".lock") })
	if bad {
		return &Error{Kind: UnknownRef, Op: "read the ref", Err: fmt.Errorf("%q is no name of a ref", ref)}
	}
	return nil
}
