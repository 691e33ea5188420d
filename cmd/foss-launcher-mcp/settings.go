package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"mcpworks/packs/launch"
)

// settings are what launcher.yaml can say (14.13).
type settings struct {
	DataDir      string `yaml:"data_dir"`
	ProfilesDir  string `yaml:"profiles_dir"`
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
	NetworkAllowlist []string `yaml:"network_allowlist"`
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
	if err := s.readEnvironment(os.Getenv); err != nil {
		return launch.Config{}, unusable(err)
	}
	s.DataDir = cmp.Or(c.Value(optDataDir), s.DataDir, usualDataDir())
	s.ProfilesDir = cmp.Or(c.Value(optProfilesDir), s.ProfilesDir)
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
	content, err := io.ReadAll(io.LimitReader(file, maxSettings))
	if err != nil {
		return err
	}
	decoder := yaml.NewDecoder(bytes.NewReader(content))
	decoder.KnownFields(true)
	if err := decoder.Decode(s); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}

// readEnvironment takes what the variables LAUNCHER_<KEY> say.
func (s *settings) readEnvironment(variable func(string) string) error {
	for name, field := range map[string]any{
		"DATA_DIR": &s.DataDir, "PROFILES_DIR": &s.ProfilesDir, "TASKCARDS_DIR": &s.TaskcardsDir,
		"QUEUE_CONCURRENCY": &s.Queue.Concurrency, "QUEUE_PER_PROFILE": &s.Queue.PerProfile, "QUEUE_QUEUE_LIMIT": &s.Queue.QueueLimit,
		"LIMITS_CALLS_PER_MINUTE": &s.Limits.CallsPerMinute, "LIMITS_INFLIGHT_PER_CONNECTION": &s.Limits.InflightPerConnection,
		"LIMITS_SHUTDOWN_GRACE_S": &s.Limits.ShutdownGraceS, "RECOVERY": &s.Recovery, "ERROR_STYLE": &s.ErrorStyle,
		"NETWORK_ALLOWLIST": &s.NetworkAllowlist,
	} {
		value := variable("LAUNCHER_" + name)
		if value == "" {
			continue
		}
		switch field := field.(type) {
		case *string:
			*field = value
		case *[]string:
			*field = strings.Split(value, ",")
		case *int:
			n, err := strconv.Atoi(value)
			if err != nil {
				return fmt.Errorf("LAUNCHER_%s must be a whole number", name)
			}
			*field = n
		}
	}
	return nil
}

func (s *settings) config() (launch.Config, error) {
	cfg := launch.Config{
		DataDir: s.DataDir, ProfilesDir: s.ProfilesDir, TaskcardsDir: s.TaskcardsDir,
		Concurrency: s.Queue.Concurrency, PerProfile: s.Queue.PerProfile, QueueLimit: s.Queue.QueueLimit,
		NetworkAllowlist: s.NetworkAllowlist, CallsPerMinute: s.Limits.CallsPerMinute, InFlight: s.Limits.InflightPerConnection,
		Grace: time.Duration(s.Limits.ShutdownGraceS) * time.Second, Environ: os.Environ(), Timeouts: map[string]time.Duration{},
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
