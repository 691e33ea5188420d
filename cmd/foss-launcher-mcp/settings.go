package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"mcpworks/internal/bounded"
	"mcpworks/packs/launch"
)

// settings are what launcher.yaml can say (14.13).
type settings struct {
	DataDir      string `yaml:"data_dir"`
	ProfilesDir  string `yaml:"profiles_dir"`
	AllowLocal   bool   `yaml:"allow_local_repos"`
	TaskcardsDir string `yaml:"taskcards_dir"`
	Queue        struct {
		Concurrency int `yaml:"concurrency"`
		PerProfile  int `yaml:"per_profile"`
		QueueLimit  int `yaml:"queue_limit"`
	} `yaml:"queue"`
	Limits struct {
		CallsPerMinute        int            `yaml:"calls_per_minute"`
		InflightPerConnection int            `yaml:"inflight_per_connection"`
		ShutdownGraceS        int            `yaml:"shutdown_grace_s"`
		ToolTimeoutS          map[string]int `yaml:"tool_timeout_s"`
	} `yaml:"limits"`
	Retention struct {
		WorkDays    int `yaml:"work_days"`
		ReportsDays int `yaml:"reports_days"`
		RunDays     int `yaml:"run_days"`
	} `yaml:"retention"`
	Telemetry struct {
		EndpointURL string `yaml:"endpoint_url"`
		TokenEnv    string `yaml:"token_env"`
	} `yaml:"telemetry"`
	SecretEnv        []string `yaml:"secret_env"` // variables that runs may use
	NetworkAllowlist []string `yaml:"network_allowlist"`
	Linger           bool     `yaml:"linger"`
	Recovery         string   `yaml:"recovery"`    // auto or manual
	ErrorStyle       string   `yaml:"error_style"` // jsonrpc or tool_result
}

const maxSettings = 1 << 20

// settings reads the file, then the environment, then the command line: the
// later wins.
func (c *call) settings() (launch.Config, error) {
	var s settings
	if name := cmp.Or(c.Value(optConfig), os.Getenv("LAUNCHER_CONFIG")); name != "" {
		if err := s.readFile(name); err != nil {
			return launch.Config{}, unusable(fmt.Errorf("the configuration file cannot be used: %w", err))
		}
	}
	if err := s.readEnvironment(os.Environ()); err != nil {
		return launch.Config{}, unusable(err)
	}
	s.DataDir = cmp.Or(c.Value(optDataDir), s.DataDir, usualDataDir())
	s.ProfilesDir = cmp.Or(c.Value(optProfilesDir), s.ProfilesDir)
	s.AllowLocal = s.AllowLocal || c.Has(optAllowLocal)
	s.TaskcardsDir = cmp.Or(c.Value(optTaskcardsDir), s.TaskcardsDir)
	s.NetworkAllowlist = append(s.NetworkAllowlist, c.Values[optAllowHost]...)
	cfg, err := s.config()
	if err == nil {
		err = cfg.Validate()
	}
	if err != nil {
		return launch.Config{}, unusable(err)
	}
	return cfg, nil
}

func unusable(err error) error { return &failure{exit: launch.ExitInvalid, err: err} }

func (s *settings) readFile(name string) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	content, cut, err := bounded.Read(file, maxSettings)
	if err != nil {
		return err
	}
	if cut {
		return errors.New("it has more than 1 MiB")
	}
	return decodeYAML(content, s, true)
}

// readEnvironment takes what the variables LAUNCHER_<KEY> say. One that says
// nothing here is refused, unless it is called as secrets are, which runs can use.
func (s *settings) readEnvironment(environ []string) error {
	fields := map[string]any{
		"DATA_DIR": &s.DataDir, "PROFILES_DIR": &s.ProfilesDir, "ALLOW_LOCAL_REPOS": &s.AllowLocal, "TASKCARDS_DIR": &s.TaskcardsDir,
		"QUEUE_CONCURRENCY": &s.Queue.Concurrency, "QUEUE_PER_PROFILE": &s.Queue.PerProfile, "QUEUE_QUEUE_LIMIT": &s.Queue.QueueLimit,
		"LIMITS_CALLS_PER_MINUTE": &s.Limits.CallsPerMinute, "LIMITS_INFLIGHT_PER_CONNECTION": &s.Limits.InflightPerConnection,
		"LIMITS_SHUTDOWN_GRACE_S": &s.Limits.ShutdownGraceS, "RECOVERY": &s.Recovery, "ERROR_STYLE": &s.ErrorStyle,
		"RETENTION_WORK_DAYS": &s.Retention.WorkDays, "RETENTION_REPORTS_DAYS": &s.Retention.ReportsDays, "RETENTION_RUN_DAYS": &s.Retention.RunDays,
		"TELEMETRY_ENDPOINT_URL": &s.Telemetry.EndpointURL, "TELEMETRY_TOKEN_ENV": &s.Telemetry.TokenEnv,
		"SECRET_ENV": &s.SecretEnv, "NETWORK_ALLOWLIST": &s.NetworkAllowlist, "LINGER": &s.Linger,
	}
	var others []string
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		name, ours := strings.CutPrefix(name, "LAUNCHER_")
		if !ours || value == "" || name == "CONFIG" {
			continue
		}
		field, known := fields[name]
		if !known {
			others = append(others, "LAUNCHER_"+name)
			continue
		}
		switch field := field.(type) {
		case *string:
			*field = value
		case *[]string:
			*field = strings.Split(value, ",")
		case *bool:
			on, err := strconv.ParseBool(value)
			if err != nil {
				return fmt.Errorf("LAUNCHER_%s must be true or false", name)
			}
			*field = on
		case *int:
			n, err := strconv.Atoi(value)
			if err != nil || n < 1 {
				return fmt.Errorf("LAUNCHER_%s must be a whole number from 1 on", name)
			}
			*field = n
		}
	}
	for _, name := range others {
		if name != s.Telemetry.TokenEnv && !slices.Contains(s.SecretEnv, name) && !launch.IsSecretVariable(name) {
			return fmt.Errorf("the variable %s is no setting of the launcher", name)
		}
	}
	return nil
}

func (s *settings) config() (launch.Config, error) {
	cfg := launch.Config{
		DataDir: s.DataDir, ProfilesDir: s.ProfilesDir, AllowLocalRepos: s.AllowLocal, TaskcardsDir: s.TaskcardsDir,
		Concurrency: s.Queue.Concurrency, PerProfile: s.Queue.PerProfile, QueueLimit: s.Queue.QueueLimit,
		NetworkAllowlist: s.NetworkAllowlist, CallsPerMinute: s.Limits.CallsPerMinute, InFlight: s.Limits.InflightPerConnection,
		Grace: time.Duration(s.Limits.ShutdownGraceS) * time.Second, Linger: s.Linger,
		KeepWork: days(s.Retention.WorkDays), KeepReports: days(s.Retention.ReportsDays), KeepRun: days(s.Retention.RunDays),
		TelemetryURL: s.Telemetry.EndpointURL, TelemetryTokenEnv: s.Telemetry.TokenEnv, SecretEnv: s.SecretEnv,
		Environ: os.Environ(), Timeouts: map[string]time.Duration{},
	}
	for name, seconds := range s.Limits.ToolTimeoutS {
		cfg.Timeouts[name] = time.Duration(seconds) * time.Second
	}
	switch s.Recovery {
	case "", "manual":
	case "auto":
		cfg.Requeue = true
	default:
		return cfg, fmt.Errorf("recovery must be auto or manual, not %q", s.Recovery)
	}
	switch s.ErrorStyle {
	case "", "jsonrpc":
	case "tool_result":
		cfg.ErrorsAsResults = true
	default:
		return cfg, fmt.Errorf("error_style must be jsonrpc or tool_result, not %q", s.ErrorStyle)
	}
	return cfg, nil
}

func days(n int) time.Duration { return time.Duration(n) * 24 * time.Hour }

// usualDataDir is where runs are kept if nobody says where.
func usualDataDir() string {
	if dir := os.Getenv("XDG_DATA_HOME"); dir != "" {
		return filepath.Join(dir, "foss-launcher")
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(home, ".local", "share", "foss-launcher")
}
