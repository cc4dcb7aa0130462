#!/bin/bash
#SBATCH --job-name=fstore
# One build in many tasks: submit this with sbatch. It submits what can run now, as an array, and
# then itself behind that, until the store is there. What is missing is run again.
set -eu
fstore={{sh .Fstore}} work={{sh .Work}} store={{sh .Store}} dir={{sh .Dir}} retries={{.Retries}}
options=({{.Options}})

cd "$dir"
case ${1:-} in # the tasks are this script too
run-read) exec "$fstore" cluster read "$work" "$SLURM_ARRAY_TASK_ID" ;;
run-plan) exec "$fstore" cluster plan "$work" ;;
run-grow) exec "$fstore" cluster grow "$work" "$SLURM_ARRAY_TASK_ID"{{.Limit}} ;;
run-commit) exec "$fstore" cluster commit "$work" "$store" ;;
esac

before=${1:-} tries=${2:-0}
IFS=$'\t' read -r task numbers < <("$fstore" cluster status "$work" --next --format tsv) || true
[ -n "$task" ] || exit 1
if [ "$task" = commit ] && [ -e "$store/FSTORE" ]; then
	exec "$fstore" cluster commit "$work" "$store" # which says whether the store is this job's
fi
if [ "$task" = "$before" ]; then tries=$((tries + 1)); else tries=0; fi
if [ "$tries" -gt "$retries" ]; then
	echo "fstore: $task $numbers failed $tries times" >&2
	exit 1
fi
job=$(sbatch --parsable ${options[@]+"${options[@]}"} --job-name="fstore-$task" ${numbers:+--array="$numbers"} "$0" "run-$task")
sbatch --parsable ${options[@]+"${options[@]}"} --dependency="afterany:${job%%;*}" "$0" "$task" "$tries"
