#!/bin/bash
#SBATCH --job-name=fstore
# One build in many tasks: submit this with sbatch. It submits what can run now, as an array, and
# then itself behind that, until the store is there. What is missing is run again.
set -eu
fstore={{sh .Fstore}} work={{sh .Work}} store={{sh .Store}} dir={{sh .Dir}} retries={{.Retries}}
options=({{.Options}})
before=${1:-} tries=${2:-0}

cd "$dir"
quoted() { printf '%q ' "$@"; }
IFS=$'\t' read -r task numbers < <("$fstore" cluster status "$work" --next --format tsv) || true
[ -n "$task" ] || exit 1
if [ "$task" = "$before" ]; then tries=$((tries + 1)); else tries=0; fi
if [ "$tries" -gt "$retries" ]; then
	echo "fstore: $task $numbers failed $tries times" >&2
	exit 1
fi
case $task in
commit)
	exec "$fstore" cluster commit "$work" "$store"
	;;
plan)
	job=$(sbatch --parsable ${options[@]+"${options[@]}"} --job-name=fstore-plan \
		--wrap "$(quoted "$fstore" cluster plan "$work")")
	;;
read)
	job=$(sbatch --parsable ${options[@]+"${options[@]}"} --job-name=fstore-read --array="$numbers" \
		--wrap "$(quoted "$fstore" cluster read "$work")"' $SLURM_ARRAY_TASK_ID')
	;;
grow)
	job=$(sbatch --parsable ${options[@]+"${options[@]}"} --job-name=fstore-grow --array="$numbers" \
		--wrap "$(quoted "$fstore" cluster grow "$work")"' $SLURM_ARRAY_TASK_ID{{.Limit}}')
	;;
esac
sbatch --parsable ${options[@]+"${options[@]}"} --dependency="afterany:${job%%;*}" "$0" "$task" "$tries"
