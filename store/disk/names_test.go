package disk

import "testing"

func TestNames(t *testing.T) {
	for _, name := range []string{
		"000005.sst", "000002.log", "000002-001.log", "MANIFEST-000001", "OPTIONS-000003", "expansion-1-0",
		"marker.manifest.000001.MANIFEST-000001", "marker.format-version.000008.021",
	} {
		if !isDataName(name) || isForeign(name) {
			t.Errorf("%q is foreign", name)
		}
	}
	for _, name := range []string{lockName, sealName, markName, "FSTORE.tmp", "UNFINISHED.tmp", "FSTORE.new", loadName, "temporary.000007.dbtmp"} {
		if isDataName(name) || isForeign(name) {
			t.Errorf("%q is data or foreign", name)
		}
	}
	for _, name := range []string{
		"", ".DS_Store", "my notes.txt", "build.log", "a.sst", ".sst", "1 2.sst", "MANIFEST-", "OPTIONS-old",
		"expansion-", "expansion-a", "marker.x", "marker.a b.1.c", "000005.sst~", "CURRENT", "temporary.x.dbtmp",
	} {
		if isDataName(name) || !isForeign(name) {
			t.Errorf("%q is not foreign", name)
		}
	}
}
