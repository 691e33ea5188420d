package main

import (
	"bufio"
	_ "embed"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"mcpworks/packs/plantuml"
)

//go:embed zlib.py
var zlibProgram string

// A zlib is a running python3 that times its zlib.
type zlib struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func startZlib() (*zlib, error) {
	z := &zlib{cmd: exec.Command("python3", "-c", zlibProgram)}
	var err error
	if z.in, err = z.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := z.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	z.out, z.cmd.Stderr = bufio.NewReader(out), os.Stderr
	if err := z.cmd.Start(); err != nil {
		return nil, err
	}
	return z, nil
}

// compare hands over the texts and checks that they are encoded alike. The
// error says why there is nothing to compare with.
func (z *zlib) compare(texts []string) error {
	for _, text := range texts {
		encoded, err := z.ask(base64.StdEncoding.EncodeToString([]byte(text)))
		if err != nil {
			return fmt.Errorf("python3 has no zlib: %w", err)
		}
		if encoded != plantuml.Encode(text) {
			return fmt.Errorf("the zlib of python3 is not stock zlib: it compresses a text of %d bytes to another stream", len(text))
		}
	}
	_, err := io.WriteString(z.in, "\n")
	return err
}

// time returns the nanoseconds that compressing the text of this number takes.
func (z *zlib) time(encoder string, text int, duration time.Duration) (float64, error) {
	answer, err := z.ask(fmt.Sprint(encoder, " ", text, " ", duration.Seconds()))
	if err != nil {
		return 0, err
	}
	if reason, skipped := strings.CutPrefix(answer, "skipped: "); skipped {
		return 0, errors.New(reason)
	}
	return strconv.ParseFloat(answer, 64)
}

func (z *zlib) ask(line string) (answer string, err error) {
	if _, err := io.WriteString(z.in, line+"\n"); err != nil {
		return "", err
	}
	answer, err = z.out.ReadString('\n')
	return strings.TrimSuffix(answer, "\n"), err
}

func (z *zlib) stop() {
	z.in.Close()
	z.cmd.Wait()
}
