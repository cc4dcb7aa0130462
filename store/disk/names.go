package disk

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// A store's directory may come to hold files that are not the store's: what a file
// manager leaves, a log, notes. They are foreign: never hashed, never deleted, and
// named by Check. What is the store's is told by its name.
const (
	sealName       = "FSTORE"
	markName       = "UNFINISHED"
	lockName       = "LOCK"
	writerLockName = "WRITER"
	loadName       = "load" // a directory
)

// KeptPrefix begins the names of the files in Change.Load that Options.Keep leaves there.
const KeptPrefix = "kept-"

// ExpansionName is the name of expansion index i that a change makes.
func ExpansionName(number uint32, i int) string {
	return fmt.Sprintf("expansion-%d-%d", number, i)
}

// copyName is the name of the copy that a change leaves.
func copyName(number uint64) string { return fmt.Sprintf("META-%d", number) }

// What names this program gives, and gave.
var (
	// IsExpansionName says whether name is one that ExpansionName gives.
	IsExpansionName = regexp.MustCompile(`^expansion-[0-9-]+$`).MatchString
	// IsCopyName says whether name is that of a copy, see Change.Commit.
	IsCopyName = regexp.MustCompile(`^META-[0-9]+$`).MatchString
	// The database's; a marker is marker.manifest.000001.MANIFEST-000001.
	isDatabaseName = regexp.MustCompile(`^([0-9]+\.sst|[0-9]+(-[0-9]+)?\.log|(MANIFEST|OPTIONS)-[0-9]+|marker\.[^. \n]*\.[0-9]+\.[^. \n]*)$`).MatchString
	// What only a writer leaves that is at work, or was killed: FSTORE.new is an older program's.
	isTempName = regexp.MustCompile(`^(load|UNFINISHED|(FSTORE|UNFINISHED)\.tmp|FSTORE\.new|temporary\.[0-9]+\.dbtmp)$`).MatchString
)

func tableName(number uint64) string { return fmt.Sprintf("%06d.sst", number) }

// isLockName says whether a file of this name is locked, and holds nothing.
func isLockName(name string) bool { return name == lockName || name == writerLockName }

// isDataName says whether a file of this name holds what was committed: those are sealed.
func isDataName(name string) bool {
	return IsExpansionName(name) || IsCopyName(name) || isDatabaseName(name)
}

var number = regexp.MustCompile("[0-9]+")

// numberOf returns the number in the name of a data file. Each writer gives those of its files
// numbers that no file before has.
func numberOf(name string) uint64 {
	if rest, ok := strings.CutPrefix(name, "marker.manifest."); ok {
		_, name, _ = strings.Cut(rest, ".") // 000001.MANIFEST-000001: the first counts anew in each database
	}
	n, err := strconv.ParseUint(number.FindString(name), 10, 64)
	if err != nil {
		return 1 << 63 // too large for any
	}
	return n
}

// freshNumber returns a number, at least least, that no data file of these names reaches.
func freshNumber(names []string, least uint64) (n uint64, err error) {
	n = max(least, 1)
	for _, name := range names {
		n = max(n, numberOf(name)+1)
	}
	if n > math.MaxUint32 {
		return n, errors.New("no numbers are left for new files")
	}
	return n, nil
}

// isForeign says whether no run of this program gives a file this name.
func isForeign(name string) bool {
	return !isLockName(name) && name != sealName && !isTempName(name) && !isDataName(name)
}

// Foreign returns the foreign names in the directory, in order; none where it is not there.
func (d Dir) Foreign() []string {
	names, _ := d.list(isForeign)
	return names
}

func isTable(name string) bool { return strings.HasSuffix(name, ".sst") }
