package cli
import ("testing";"os";"strings";"context";"github.com/cockroachdb/pebble/v2/vfs")
func TestZZ(t *testing.T) {
	a := os.Getenv("ZZ"); if a == "" { t.Skip() }
	os.Chdir("/tmp/cl")
	if c := Run(context.Background(), vfs.Default, strings.Fields(a), os.Stdin, os.Stdout, os.Stderr); c != 0 { t.Fatal(c) }
}
