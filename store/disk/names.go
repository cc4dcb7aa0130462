package disk

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A store's directory may come to hold files that are not the store's: what a file
// manager leaves, a log, notes. They are foreign: never hashed, never deleted, and
// named by Check. What is the store's is told by its name.
const (
	sealName        = "FSTORE"
	markName        = "UNFINISHED"
	lockName        = "LOCK"
	writerLockName  = "WRITER"
	loadName        = "load" // a directory
	expansionPrefix = "expansion-"
	copyPrefix      = "META-"
)

// KeptPrefix begins the names of the files in Change.Load that Options.Keep leaves there.
const KeptPrefix = "kept-"

// ExpansionName is the name of expansion index i that a change makes.
func ExpansionName(number uint32, i int) string {
	return fmt.Sprintf("%s%d-%d", expansionPrefix, number, i)
}

// IsExpansionName says whether name is one that ExpansionName gives.
func IsExpansionName(name string) bool {
	rest, ok := strings.CutPrefix(name, expansionPrefix)
	return ok && rest != "" && strings.Trim(rest, "0123456789-") == ""
}

// copyName is the name of the copy that a change leaves.
func copyName(number uint64) string { return fmt.Sprintf("%s%d", copyPrefix, number) }

// IsCopyName says whether name is that of a copy, see Change.Commit.
func IsCopyName(name string) bool {
	number, ok := strings.CutPrefix(name, copyPrefix)
	return ok && isNumber(number)
}

func tableName(number uint64) string { return fmt.Sprintf("%06d.sst", number) }

// isLockName says whether a file of this name is locked, and holds nothing.
func isLockName(name string) bool { return name == lockName || name == writerLockName }

// isDataName says whether a file of this name holds what was committed: those are
// sealed.
func isDataName(name string) bool {
	return IsExpansionName(name) || IsCopyName(name) || isDatabaseName(name)
}

// isDatabaseName says whether name is one that the database gives.
func isDatabaseName(name string) bool {
	if stem, ok := strings.CutSuffix(name, ".sst"); ok {
		return isNumber(stem)
	}
	if stem, ok := strings.CutSuffix(name, ".log"); ok { // 000002.log, 000002-001.log
		a, b, two := strings.Cut(stem, "-")
		return isNumber(a) && (!two || isNumber(b))
	}
	for _, prefix := range []string{"MANIFEST-", "OPTIONS-"} {
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			return isNumber(rest)
		}
	}
	// marker.manifest.000001.MANIFEST-000001
	parts := strings.Split(name, ".")
	return len(parts) == 4 && parts[0] == "marker" && isNumber(parts[2]) && !strings.ContainsAny(name, " \n")
}

// isTempName says whether only a writer that is at work, or was killed, leaves a file of this name.
func isTempName(name string) bool {
	switch name {
	case loadName, markName, sealName + tempSuffix, markName + tempSuffix, sealName + ".new":
		return true // the last of an older program
	}
	rest, ok := strings.CutPrefix(name, "temporary.") // of the database
	stem, ok2 := strings.CutSuffix(rest, ".dbtmp")
	return ok && ok2 && isNumber(stem)
}

// numberOf returns the number in the name of a data file. Each writer gives those of its files
// numbers that no file before has.
func numberOf(name string) uint64 {
	if rest, ok := strings.CutPrefix(name, "marker.manifest."); ok {
		_, name, _ = strings.Cut(rest, ".") // 000001.MANIFEST-000001: the first counts anew in each database
	}
	const digits = "0123456789"
	from := strings.IndexAny(name, digits)
	name = name[max(from, 0):]
	n, err := strconv.ParseUint(name[:len(name)-len(strings.TrimLeft(name, digits))], 10, 64)
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

func isNumber(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

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
