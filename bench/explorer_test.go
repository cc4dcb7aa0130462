//go:build unix

package bench

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// explored is a server of two large stores. The store ice is IcePaHC labelled by century. The store ewt is
// English-EWT with siblings=any, labelled by genre.
type explored struct {
	base string
	cmd  *exec.Cmd
}

// explore builds the stores, in the folder FSTORE_STORES if it is set, and serves them.
func explore(b *testing.B) *explored {
	b.Helper()
	bin, dir := program(b), os.Getenv("FSTORE_STORES")
	if dir == "" {
		dir = b.TempDir()
	}
	ice, ewt := filepath.Join(dir, "ice.store"), filepath.Join(dir, "ewt.store")
	if _, err := os.Stat(ewt); err != nil {
		buildExplored(b, bin, ice, ewt)
	}
	x := &explored{cmd: exec.Command(bin, "serve", ice, ewt)}
	x.cmd.Stderr = os.Stderr
	out, err := x.cmd.StdoutPipe()
	if err == nil {
		err = x.cmd.Start()
	}
	if err != nil {
		b.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		b.Fatal(err)
	}
	x.base = strings.TrimSuffix(strings.TrimSpace(line), "/")
	b.Cleanup(func() { _ = x.cmd.Process.Kill() }) // the server still runs if the benchmark has failed
	return x
}

func buildExplored(b *testing.B, bin, ice, ewt string) {
	b.Helper()
	usage(b, bin, "build", ice, dataFile(b, "trees/icepahc.psd.gz"), "--label-from", "id", "--label-match", "^([0-9]{2})", "-q")
	usage(b, bin, "build", ewt, dataFile(b, "ud/en_ewt-ud-train.conllu.gz"), dataFile(b, "ud/en_ewt-ud-dev.conllu.gz"), dataFile(b, "ud/en_ewt-ud-test.conllu.gz"),
		"--label-from", "id", "--label-match", "^([a-z]+)-", "--document-from", "newdoc", "--space", "dep:siblings=any", "-q")
}

// end ends the server and returns its user CPU seconds and its peak memory in MB.
func (x *explored) end(b *testing.B) (user, peak float64) {
	b.Helper()
	_ = x.cmd.Process.Signal(os.Interrupt)
	_ = x.cmd.Wait()
	return x.cmd.ProcessState.UserTime().Seconds(), float64(x.cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss) / 1024
}

// get loads a page again until no answer is missing.
func (x *explored) get(path string) error {
	for {
		a, err := http.Get(x.base + path)
		if err != nil {
			return err
		}
		_, err = io.Copy(io.Discard, a.Body)
		a.Body.Close()
		if err != nil || a.StatusCode != http.StatusOK {
			return fmt.Errorf("%s: status %d, %v", path, a.StatusCode, err)
		}
		if a.Header.Get("Refresh") == "" {
			return nil
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// exploredPages are pages of each kind.
var exploredPages = []struct{ name, path string }{
	{"ice overview", "/ice/"},
	{"ice fragments", "/ice/fragments"},
	{"ice order", "/ice/fragments?order=3"},
	{"ice by order", "/ice/fragments?sort=order"},
	{"ice by text", "/ice/fragments?sort=fragment"},
	{"ice pattern", "/ice/fragments?p=" + url.QueryEscape("(NP (D-N _) ...)")},
	{"ice where", "/ice/fragments?where=" + url.QueryEscape("support > 100 && order == 3")},
	{"ice fragment", "/ice/fragment?f=" + url.QueryEscape("(NP-SBJ (PRO-N))")},
	{"ice contrast two", "/ice/contrast?a=19&b=16"},
	{"ice contrast two again", "/ice/contrast?a=18&b=13"},
	{"ice contrast rest", "/ice/contrast?a=19"},
	{"ice families", "/ice/contrast?a=19&families=1"},
	{"ice each label", "/ice/contrast?each=1"},
	{"ice hits", "/ice/hits?p=" + url.QueryEscape("(NP-SBJ (PRO-N _))")},
	{"ice collocates", "/ice/collocates?p=" + url.QueryEscape("(PP (P _) (NP ...))")},
	{"ice sentence", "/ice/sentence?sample=70000"},
	{"ewt overview", "/ewt/"},
	{"ewt fragments", "/ewt/fragments"},
	{"ewt by order", "/ewt/fragments?sort=order"},
	{"ewt fragment", "/ewt/fragment?f=" + url.QueryEscape("VERB >obj NOUN")},
	{"ewt contrast two", "/ewt/contrast?a=reviews&b=email"},
	{"ewt contrast two again", "/ewt/contrast?a=weblog&b=answers"},
	{"ewt families", "/ewt/contrast?a=reviews&families=1"},
	{"ewt hits", "/ewt/hits?p=" + url.QueryEscape("VERB[lemma=give] >iobj _ >obj _")},
	{"ewt count", "/ewt/counts?by=document&p=" + url.QueryEscape("VERB >obj NOUN")},
	{"ewt sentence", "/ewt/sentence?sample=500&w=2&w=3"},
}

// user returns the user CPU seconds that the server has taken, or 0 if there is no /proc. The file stat has
// them in field 14, in ticks of 10 ms. Field 2 is the name of the program, which can have spaces: fields are
// counted from the third.
func (x *explored) user() float64 {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", x.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	ticks, _ := strconv.Atoi(fields[11])
	return float64(ticks) / 100
}

// BenchmarkExplorer measures pages of large stores. first-cpu-s is the user CPU of the first answer, and
// first-s is its time. The other figures are for the same answer after the server has kept it. The server
// reads a part of a store when the first page needs it, so that figures depend on the pages before.
func BenchmarkExplorer(b *testing.B) {
	x := explore(b)
	for _, p := range exploredPages {
		began, before := time.Now(), x.user()
		if err := x.get(p.path); err != nil {
			b.Fatal(err)
		}
		first, cpu := time.Since(began).Seconds(), x.user()-before
		b.Run(p.name, func(b *testing.B) {
			for b.Loop() {
				if err := x.get(p.path); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(first, "first-s")
			b.ReportMetric(cpu, "first-cpu-s")
		})
	}
	user, peak := x.end(b)
	b.Logf("user CPU %.1f s, peak %.0f MB", user, peak)
}

// BenchmarkExplorerReaders lets 16 readers load pages for a minute, each reader different pages. It fails if
// a status is not 200.
func BenchmarkExplorerReaders(b *testing.B) {
	x := explore(b)
	labels := map[string][]string{"ice": {"12", "13", "14", "16", "18", "19"}, "ewt": {"answers", "email", "newsgroup", "reviews", "weblog"}}
	patterns := map[string][]string{"ice": {"(NP-SBJ (PRO-N _))", "(NP (D-N _) ...)", "(PP (P _) (NP ...))", "(CP-REL ...)"}, "ewt": {"VERB >obj NOUN", "_ <nsubj VERB", "VERB[lemma=give] >iobj _", "NOUN >acl:relcl VERB"}}
	var all sync.WaitGroup
	var mu sync.Mutex
	var took []time.Duration
	end := time.Now().Add(time.Minute)
	for reader := range 16 {
		r := rand.New(rand.NewPCG(uint64(reader), 0))
		one := func(list []string) string { return url.QueryEscape(list[r.IntN(len(list))]) }
		all.Go(func() {
			for time.Now().Before(end) {
				store := []string{"ice", "ewt"}[r.IntN(2)]
				label, pattern := one(labels[store]), one(patterns[store])
				path := "/" + store + "/"
				switch r.IntN(20) {
				case 0:
					path += "contrast?a=" + label
				case 1, 2, 3:
					path += fmt.Sprintf("fragments?order=%d&where=%s", 1+r.IntN(5), url.QueryEscape(fmt.Sprintf("support > %d", 10*r.IntN(50))))
				case 4, 5, 6, 7:
					path += fmt.Sprintf("hits?p=%s&label=%s&sample=50&seed=%d", pattern, label, r.IntN(1000))
				case 8, 9:
					path += "counts?p=" + pattern
				case 10:
					path += "fragment?f=" + pattern
				case 11, 12:
					path = "/ewt/guide?name=contrast"
				default:
					path += fmt.Sprintf("sentence?sample=%d", 1+r.IntN(16000))
				}
				began := time.Now()
				err := x.get(path)
				mu.Lock()
				took = append(took, time.Since(began))
				mu.Unlock()
				if err != nil {
					b.Error(err)
				}
			}
		})
	}
	all.Wait()
	slices.Sort(took)
	b.ReportMetric(float64(len(took)), "pages")
	b.ReportMetric(took[len(took)/2].Seconds()*1000, "median-ms")
	b.ReportMetric(took[len(took)*95/100].Seconds()*1000, "p95-ms")
	user, peak := x.end(b)
	b.ReportMetric(1000*user/float64(len(took)), "cpu-ms/page")
	b.ReportMetric(peak, "peak-MB")
	b.ReportMetric(0, "ns/op")
}
