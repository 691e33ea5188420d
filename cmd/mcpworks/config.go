package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"regexp"
	"strings"

	"mcpworks/internal/bounded"
	"mcpworks/internal/httpguard"
	"mcpworks/internal/logging"
	"mcpworks/internal/rawjson"
	"mcpworks/internal/secret"
)

const (
	defaultListen = "127.0.0.1:8080"
	maxConfig     = 1 << 20
	maxSecret     = 8 << 10
)

// A configError is a configuration that cannot be used.
type configError struct{ err error }

func (e *configError) Error() string { return e.err.Error() }
func (e *configError) Unwrap() error { return e.err }

// fileConfig is the configuration file. It holds no secret: those are named,
// as an environment variable or a file.
type fileConfig struct {
	Listen         string      `json:"listen"`
	DataDir        string      `json:"data_dir"`
	Tokens         []fileToken `json:"tokens"`
	AllowedHosts   []string    `json:"allowed_hosts"`
	AllowedOrigins []string    `json:"allowed_origins"`
	TLS            struct {
		CertFile string `json:"cert_file"`
		KeyFile  string `json:"key_file"`
	} `json:"tls"`
	Judge struct {
		BaseURL   string `json:"base_url"`
		TokenEnv  string `json:"token_env"`
		TokenFile string `json:"token_file"`
	} `json:"judge"`
	Context struct {
		CacheRoot string `json:"cache_root"`
	} `json:"context"`
	Launch struct {
		DataDir          string   `json:"data_dir"`
		ProfilesDir      string   `json:"profiles_dir"`
		AllowLocalRepos  bool     `json:"allow_local_repos"`
		NetworkAllowlist []string `json:"network_allowlist"`
	} `json:"launch"`
}

type fileToken struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
	Env    string `json:"env"`
	File   string `json:"file"`
}

// config is what an operator decided, checked.
type config struct {
	listen, dataDir   string
	tokens            *httpguard.Tokens // nil: none is asked for
	secrets           []secret.String   // to keep out of the log
	hosts, origins    []string
	certFile, keyFile string
	judgeURL          string // empty: the sample backend
	judgeToken        secret.String
	contextRoot       string // empty: the sample cache
	launchDir         string // empty: below dataDir, or as long as the process
	launchProfiles    string
	launchLocal       bool     // runs may read repositories of this machine
	launchHosts       []string // that runs may talk to
	logLevel          logging.Level
}

// loadConfig puts together command line, configuration file and environment, in
// this order of precedence. Its errors are *configError.
func loadConfig(o options, env func(string) (string, bool)) (config, error) {
	var file fileConfig
	if o.config != "" {
		if err := readConfig(o.config, &file); err != nil {
			return config{}, &configError{fmt.Errorf("configuration file %s: %w", o.config, err)}
		}
	}
	c := config{
		listen:  cmp.Or(o.listen, file.Listen, defaultListen),
		dataDir: cmp.Or(o.dataDir, file.DataDir),
		hosts:   file.AllowedHosts, origins: file.AllowedOrigins,
		certFile: file.TLS.CertFile, keyFile: file.TLS.KeyFile,
		judgeURL: file.Judge.BaseURL, contextRoot: file.Context.CacheRoot,
		launchDir: file.Launch.DataDir, launchProfiles: file.Launch.ProfilesDir, launchLocal: file.Launch.AllowLocalRepos, launchHosts: file.Launch.NetworkAllowlist,
	}
	filter, _ := env("MCPWORKS_LOG")
	c.logLevel = logging.ParseFilter(filter, "mcpworks")
	if err := errors.Join(c.loadTokens(file, env), c.loadJudge(file, env)); err != nil {
		return config{}, &configError{err}
	}
	if err := httpguard.CheckListen(c.listen, c.tokens != nil, false); err != nil {
		return config{}, &configError{err}
	}
	c.addOwnHosts()
	return c, nil
}

// loadTokens takes the tokens of the file, and that of the environment.
func (c *config) loadTokens(file fileConfig, env func(string) (string, bool)) error {
	var tokens []httpguard.Token
	for _, t := range file.Tokens {
		value, err := readSecret("token "+t.Name, t.Env, t.File, env)
		if err != nil {
			return err
		}
		tokens = append(tokens, httpguard.Token{Principal: t.Name, SHA256: t.SHA256, Secret: value})
		c.secrets = append(c.secrets, value)
	}
	if value, ok := env("MCPWORKS_TOKEN"); ok {
		if value == "" {
			return errors.New("MCPWORKS_TOKEN is set but empty: unset it, or make it a token (openssl rand -hex 32)")
		}
		tokens = append(tokens, httpguard.Token{Principal: "MCPWORKS_TOKEN", Secret: secret.New(value)})
		c.secrets = append(c.secrets, secret.New(value))
	}
	if len(tokens) == 0 {
		return nil
	}
	var err error
	c.tokens, err = httpguard.NewTokens(tokens...)
	return err
}

func (c *config) loadJudge(file fileConfig, env func(string) (string, bool)) (err error) {
	c.judgeToken, err = readSecret("judge", file.Judge.TokenEnv, file.Judge.TokenFile, env)
	if err != nil {
		return err
	}
	if c.judgeURL == "" && !c.judgeToken.IsZero() {
		return errors.New("judge has a token but no base_url to send it to")
	}
	c.secrets = append(c.secrets, c.judgeToken)
	return nil
}

// readSecret takes a secret from where the configuration says it is; zero when
// it says nothing.
func readSecret(whose, variable, file string, env func(string) (string, bool)) (secret.String, error) {
	switch {
	case variable != "" && file != "":
		return secret.String{}, fmt.Errorf("%s: give an environment variable or a file, not both", whose)
	case variable != "":
		value, _ := env(variable)
		if value == "" {
			return secret.String{}, fmt.Errorf("%s: the environment variable %s is not set", whose, variable)
		}
		return secret.New(value), nil
	case file != "":
		content, err := readBounded(file, maxSecret)
		if err != nil {
			return secret.String{}, fmt.Errorf("%s: %w", whose, err)
		}
		value := strings.TrimRight(string(content), "\r\n")
		if value == "" {
			return secret.String{}, fmt.Errorf("%s: the file %s is empty", whose, file)
		}
		return secret.New(value), nil
	}
	return secret.String{}, nil
}

func readBounded(name string, most int64) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	content, tooLong, err := bounded.Read(f, most)
	if err == nil && tooLong {
		err = fmt.Errorf("%s is longer than %d bytes", name, most)
	}
	return content, err
}

// readConfig reads a configuration file strictly: what is misspelt, twice there
// or of the wrong kind is an error.
func readConfig(name string, file *fileConfig) error {
	text, err := readBounded(name, maxConfig)
	if err != nil {
		return err
	}
	if err := rawjson.Check(text, rawjson.Limits{Depth: 16}); err != nil {
		return fmt.Errorf("not JSON: %w", err)
	}
	tree, err := rawjson.Decode(text)
	if err != nil {
		return err
	}
	if err := checkKeys(tree); err != nil {
		return err
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	return decoder.Decode(file)
}

var plainKey = regexp.MustCompile(`^[a-z0-9_]+$`)

// checkKeys refuses keys that encoding/json would take for ours because it does
// not look at their case.
func checkKeys(v any) error {
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			if !plainKey.MatchString(key) {
				return fmt.Errorf("unknown key %q: keys are in lower case", key)
			}
			if err := checkKeys(value); err != nil {
				return err
			}
		}
	case []any:
		for _, value := range v {
			if err := checkKeys(value); err != nil {
				return err
			}
		}
	}
	return nil
}

// addOwnHosts allows the names that a server beyond loopback obviously has,
// unless the operator listed some. A token is asked for there, so DNS rebinding
// gains nothing by them.
func (c *config) addOwnHosts() {
	if httpguard.IsLoopback(c.listen) || len(c.hosts) > 0 {
		return
	}
	host, _, _ := net.SplitHostPort(c.listen) // CheckListen has read it
	ip := net.ParseIP(host)
	if ip == nil || !ip.IsUnspecified() {
		c.hosts = []string{host}
		return
	}
	c.hosts = []string{"localhost", "127.0.0.1", "::1"}
	if name, err := os.Hostname(); err == nil && hostName.MatchString(name) {
		c.hosts = append(c.hosts, name)
	}
	addresses, _ := net.InterfaceAddrs() // without them, the names above remain
	for _, address := range addresses {
		if network, ok := address.(*net.IPNet); ok {
			c.hosts = append(c.hosts, network.IP.String())
		}
	}
}

var hostName = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$`)
