package disk

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// Files in a store's directory that do not belong to the store, such as notes or a log, are called foreign.
// They are never hashed and never deleted, and Check lists them. The name of a file tells whether it is
// foreign.
const (
	sealName       = "FSTORE"
	markName       = "UNFINISHED"
	lockName       = "LOCK"
	writerLockName = "WRITER"
	loadName       = "load" // name of a directory
)

// KeptPrefix begins the names of files in Change.Load that stay after an Abort if Options.Keep is set.
const KeptPrefix = "kept-"

// ExpansionName returns the name of expansion index i of a change.
func ExpansionName(number uint32, i int) string {
	return fmt.Sprintf("expansion-%d-%d", number, i)
}

// copyName returns the name of the copy of meta that a change writes, see Change.Commit.
func copyName(number uint64) string { return fmt.Sprintf("META-%d", number) }

// The names that this program, or an older version, gives to files.
var (
	// IsExpansionName says whether name has the form of ExpansionName.
	IsExpansionName = regexp.MustCompile(`^expansion-[0-9-]+$`).MatchString
	// IsCopyName says whether name has the form of the copy that Change.Commit writes.
	IsCopyName = regexp.MustCompile(`^META-[0-9]+$`).MatchString
	// isDatabaseName accepts names of the database's files, such as marker.manifest.000001.MANIFEST-000001.
	isDatabaseName = regexp.MustCompile(`^([0-9]+\.sst|[0-9]+(-[0-9]+)?\.log|(MANIFEST|OPTIONS)-[0-9]+|marker\.[^. \n]*\.[0-9]+\.[^. \n]*)$`).MatchString
	// isTempName accepts names of files of unfinished writers. FSTORE.new is from an older program.
	isTempName = regexp.MustCompile(`^(load|UNFINISHED|(FSTORE|UNFINISHED)\.tmp|FSTORE\.new|temporary\.[0-9]+\.dbtmp)$`).MatchString
)

func tableName(number uint64) string { return fmt.Sprintf("%06d.sst", number) }

// isLockName says whether a file of this name is only used for locking, and is empty.
func isLockName(name string) bool { return name == lockName || name == writerLockName }

// isDataName says whether a file of this name holds committed data. The seal lists these files.
func isDataName(name string) bool {
	return IsExpansionName(name) || IsCopyName(name) || isDatabaseName(name)
}

var number = regexp.MustCompile("[0-9]+")

// numberOf returns the number in the name of a data file.
func numberOf(name string) uint64 {
	if rest, ok := strings.CutPrefix(name, "marker.manifest."); ok {
		_, name, _ = strings.Cut(rest, ".") // as in 000001.MANIFEST-000001: the first number begins at 1 in each database
	}
	n, err := strconv.ParseUint(number.FindString(name), 10, 64)
	if err != nil {
		return 1 << 63 // larger than any number
	}
	return n
}

// freshNumber returns a number for a new file. It is at least minNumber, at least 1, and larger than the
// numbers of all data files.
func freshNumber(names []string, minNumber uint64) (n uint64, err error) {
	n = max(minNumber, 1)
	for _, name := range names {
		n = max(n, numberOf(name)+1)
	}
	if n > math.MaxUint32 {
		return n, errors.New("no numbers are left for new files")
	}
	return n, nil
}

// isForeign says whether no version of this program makes a file of this name.
func isForeign(name string) bool {
	return !isLockName(name) && name != sealName && !isTempName(name) && !isDataName(name)
}

// Foreign returns the foreign names in the directory, in order, or none if the directory is missing.
func (d Dir) Foreign() []string {
	names, _ := d.list(isForeign)
	return names
}

func isTable(name string) bool { return strings.HasSuffix(name, ".sst") }
