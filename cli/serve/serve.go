// Package serve has the command that shows stores in a browser: the explorer. This package listens and prints
// the address. Package ask runs the commands, and package pages makes the pages.
package serve

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"os/exec"
	"runtime"
	"runtime/debug"
	"time"

	"fstore/cli/command"
	"fstore/cli/output"
	"fstore/cli/serve/ask"
	"fstore/cli/serve/pages"
	"fstore/index"
	"fstore/store"
)

// ServeCommand is the command `serve`. It runs until ^C.
type ServeCommand struct {
	Stores []string `arg:"" name:"store" predictor:"store" help:"The stores to show."`

	Address string           `default:"127.0.0.1:0" placeholder:"HOST:PORT" help:"Where to listen; port 0 is any that is free. An address that other machines can reach needs the token that is printed with it."`
	Open    bool             `help:"Open the address in the browser."`
	Cache   command.ByteSize `placeholder:"SIZE" help:"Memory for answers that are kept, such as 256MiB (default: 64MiB)."`
}

func (*ServeCommand) Help() string {
	return `Serves pages on this machine, and prints their address: what a store holds, its fragments, what sets its labels apart, the hits of any construction, sentences with their trees, what its models say of a sentence, and the guides. Each page says the command that prints the same, and has all rows as files. Stores are read only; nothing is loaded from, or sent to, another machine. ^C ends it.

A question that takes long runs once, however many ask it, and ends when nobody has asked for ten seconds. A store that is changed meanwhile is shown as it was when it was opened; pages say so, and offer the newer state.

Example:

    fstore serve demo.store
    fstore serve demo.store ud.store --open
    fstore serve demo.store --address 127.0.0.1:8080 --cache 256MiB
`
}

const (
	// defaultCache is the default memory for answers, in bytes.
	defaultCache = 64 << 20
	// held is the memory in which stores keep fragments, in bytes. All stores share it.
	held = 96 << 20
	// room is the limit for all Go objects except the answers, in bytes. Memory outside of Go takes some 40
	// MB more.
	room = 136 << 20
	// ending is how long Run waits for running questions to stop.
	ending = 500 * time.Millisecond
)

func (c *ServeCommand) Run(ctx context.Context, env *command.Env) error {
	host, _, err := net.SplitHostPort(c.Address)
	if err != nil {
		return index.Usagef("--address %s: expected HOST:PORT, as in 127.0.0.1:8080", c.Address)
	}
	shelves, err := ask.OpenShelves(c.Stores, store.Options{FS: env.FS, HoldBytes: held / int64(len(c.Stores))})
	if err != nil {
		return err
	}
	defer command.Frugal()()
	budget := int64(cmp.Or(c.Cache, defaultCache))
	// Near this limit the garbage collector runs more often: a large contrast makes much garbage.
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(budget + room))
	inner, stop := context.WithCancel(ctx)
	defer stop()
	asker, err := ask.New(inner, env, budget)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", c.Address)
	if err != nil {
		return fmt.Errorf("--address %s: %w", c.Address, err)
	}
	guard := pages.Guard{Address: listener.Addr().String()}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		guard.Token = rand.Text()
		_, port, _ := net.SplitHostPort(guard.Address)
		guard.Address = net.JoinHostPort(host, port)
	}
	server := newServer(pages.New(shelves, asker, command.ProgramVersion(), guard))
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	if err := c.announce(env, guard); err != nil {
		return errors.Join(err, server.Close())
	}
	select {
	case err = <-served:
	case <-ctx.Done():
		err = command.ErrEnded
	}
	stop()
	_ = server.Close() // requests that come now get no answer
	if asker.Close(ending) {
		for _, h := range shelves {
			h.Close()
		}
	}
	return err
}

// newServer returns a server with limits on the size and time of requests.
func newServer(h http.Handler) *http.Server {
	return &http.Server{
		Handler: h, MaxHeaderBytes: pages.MostRequest, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute,
		IdleTimeout: 2 * time.Minute, ErrorLog: log.New(io.Discard, "", 0), // browsers that close a connection are no errors
	}
}

// announce prints the address, and opens it in the browser if --open is given.
func (c *ServeCommand) announce(env *command.Env, guard pages.Guard) error {
	host, port, _ := net.SplitHostPort(guard.Address)
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	address := url.URL{Scheme: "http", Host: net.JoinHostPort(host, port), Path: "/"}
	if guard.Token != "" {
		address.RawQuery = "token=" + guard.Token
	}
	out := output.Stdout(env.Stdout)
	if _, err := fmt.Fprintln(out, address.String()); err != nil {
		return err
	}
	if err := out.Commit(); err != nil {
		return err
	}
	if c.Open {
		if err := open(address.String()); err != nil {
			env.Warn("--open: %v", err)
		}
	}
	return nil
}

// open starts the system's browser with an address, and does not wait for the browser.
func open(address string) error {
	name, args := "xdg-open", []string{address}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", address}
	}
	cmd := exec.Command(name, args...)
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() { _ = cmd.Wait() }()
	return nil
}
