#!/bin/sh
# One build, and the same store in PARTS x RANGES tasks one after another: user and system CPU, peak
# memory and bytes on disk of each. DATA names the treebanks (README.md), FSTORE the program.
#
#   DATA=dir sh bench/tasks.sh COPIES MIN-SUPPORT [MEMORY]
set -eu
copies=$1 support=$2 memory=${3:-}
fstore=${FSTORE:-fstore} parts=${PARTS:-8} ranges=${RANGES:-8}
inputs=$(yes "$DATA/trees/icepahc.psd.gz" | head -n "$copies")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
run() { # NAME COMMAND…: a line of the table
	name=$1
	shift
	/usr/bin/time -o "$dir/time" -f "$name %U %S %M" "$fstore" "$@" -q
	cat "$dir/time" >>"$dir/times"
}
limit=${memory:+--memory $memory}
run build build "$dir/one.store" $inputs --min-support "$support" $limit
"$fstore" cluster init "$dir/work" $inputs --parts "$parts" --ranges "$ranges" --min-support "$support" -q
for i in $(seq "$parts"); do run read cluster read "$dir/work" "$i"; done
run plan cluster plan "$dir/work"
for j in $(seq "$ranges"); do run grow cluster grow "$dir/work" "$j" $limit; done
run commit cluster commit "$dir/work" "$dir/many.store"
for store in one many; do "$fstore" query "$dir/$store.store" --limit 0 -q >"$dir/$store"; done
cmp "$dir/one" "$dir/many"
echo the same fragments
awk '{ cpu = $2 + $3; n[$1]++; sum[$1] += cpu; if (cpu > most[$1]) most[$1] = cpu; if ($4 > mem[$1]) mem[$1] = $4 }
	$1 != "build" { all += cpu }
	END {
		split("build read plan grow commit", names)
		for (i = 1; i <= 5; i++) { k = names[i]
			printf "%d × %-6s %7.1f s, slowest %.2f of the mean, %4d MB\n", n[k], k, sum[k], most[k] * n[k] / sum[k], mem[k] / 1000 }
		printf "tasks: %.2f × one build, memory %.0f %% of its\n", all / sum["build"], 100 * mem["grow"] / mem["build"]
	}' "$dir/times"
for files in one.store 'work/part-*' 'work/grow-*'; do
	(cd "$dir" && du -skc $files) | awk -v f="$files" '$2 == "total" { printf "%s: %d MB\n", f, $1 * 1.024e-3 }'
done
