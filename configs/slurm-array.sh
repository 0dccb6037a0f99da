#!/bin/bash
# The shards of an event as a Slurm array, and what comes together at its end:
#
#   array=$(sbatch --parsable --array=1-8 slurm-array.sh event.toml 8)
#   sbatch --dependency=afterok:$array --wrap "arbiter960 merge results/NAME results/NAME-shard-*"
#
# The event file, the results and the program lie on a file system that all nodes see. More options of
# `arbiter960 run` may follow the number of shards.
#SBATCH --job-name=arbiter960
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=4
#SBATCH --hint=nomultithread
# Clocks mean the same on all nodes only if these are alike; name what yours are called.
##SBATCH --constraint=epyc7763
# Preempted or on a node that fails: the task begins again, and goes on where it was.
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=shard-%a.log
#SBATCH --time=04:00:00
# So long before the end the running pairs are the last; longer than one pair takes.
#SBATCH --signal=B:USR1@600
set -u
event=$1
shards=$2
shift 2
echo "shard $SLURM_ARRAY_TASK_ID of $shards on $(hostname), start $((${SLURM_RESTART_COUNT:-0} + 1))"
arbiter960 run "$event" --shard "$SLURM_ARRAY_TASK_ID/$shards" --quiet "$@" &
run=$!
trap 'kill -USR1 $run' USR1
trap 'kill -TERM $run' TERM
# A signal ends `wait`, not the run.
wait $run
code=$?
while kill -0 $run 2>/dev/null; do
  wait $run
  code=$?
done
# 138: stopped in order before the time was over. The rest is for another job in this place.
if [ $code = 138 ]; then
  scontrol requeue "$SLURM_JOB_ID"
fi
exit $code
