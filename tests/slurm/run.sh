#!/bin/bash
# A real Slurm on this machine: one controller, one node daemon, munge, all in a folder of their own. An
# array of shards by configs/slurm-array.sh; one of its tasks is requeued in the middle, as preemption does,
# and the merged event is compared with that of one machine, move for move.
#
#   tests/slurm/run.sh target/debug/arbiter960        (as root: slurmd starts jobs for others)
set -euo pipefail
program=$(realpath "$1")
here=$(realpath "$(dirname "$0")/../..")
[ "$(id -u)" = 0 ] || { echo "skipped: slurmd has to be started by root"; exit 77; }
for need in slurmctld slurmd munged sbatch; do
  command -v $need >/dev/null || { echo "skipped: $need is not installed (slurm-wlm)"; exit 77; }
done
folder=$(mktemp -d /tmp/arbiter960-slurm.XXXXXX)
chmod 755 "$folder"
pids=()
finish() {
  for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
  wait 2>/dev/null || true
  rm -rf "$folder"
}
trap finish EXIT

mkdir -m 755 "$folder/munge" "$folder/bin" "$folder/work" "$folder/state" "$folder/spool"
head -c 1024 /dev/urandom >"$folder/munge/key"
chmod 600 "$folder/munge/key"
munged --foreground --force --key-file="$folder/munge/key" --socket="$folder/munge/socket" \
  --pid-file="$folder/munge/pid" --log-file="$folder/munge/log" --seed-file="$folder/munge/seed" &
pids+=($!)
node=$(hostname -s)
export SLURM_CONF="$folder/slurm.conf"
cat >"$SLURM_CONF" <<EOF
ClusterName=test
SlurmctldHost=$node(127.0.0.1)
SlurmctldPort=$((20000 + RANDOM % 9000))
SlurmdPort=$((30000 + RANDOM % 9000))
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket
CryptoType=crypto/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
SchedulerType=sched/backfill
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
KillWait=5
JobRequeue=1
SchedulerParameters=batch_sched_delay=0,sched_interval=1,requeue_delay=0
NodeName=$node NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=$node Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:4
EOF
until [ -S "$folder/munge/socket" ]; do read -rt 0.1 <> <(:) || :; done
slurmctld -D -c >"$folder/slurmctld.out" 2>&1 &
pids+=($!)
slurmd -D >"$folder/slurmd.out" 2>&1 &
pids+=($!)
waited=0
until sinfo -h -o %T 2>/dev/null | grep -q idle; do
  read -rt 0.5 <> <(:) || :
  waited=$((waited + 1))
  [ $waited -lt 60 ] || { echo "Slurm does not come up"; tail -n 5 "$folder"/slurm*.{log,out} || true; exit 1; }
done
echo "Slurm $(slurmd -V) is up on $node"

cp "$program" "$folder/bin/arbiter960"
cd "$folder/work"
cat >event.toml <<'EOF'
event.name = "cluster"
event.seed = 7
time.depth = 1
adjudication.max_moves = 40
positions.numbers = ["0-17"]
[[engine]]
name = "Six"
builtin = "sparring"
options = { Strength = 6 }
[[engine]]
name = "Nine"
builtin = "sparring"
options = { Strength = 9 }
EOF
export PATH="$folder/bin:$PATH" ARBITER960_LOCKS=
arbiter960 run event.toml --results single --quiet >/dev/null
array=$(sbatch --parsable --array=1-3 --cpus-per-task=1 --time=01:00:00 --export=ALL \
  "$here/configs/slurm-array.sh" event.toml 3)
# In the middle of its shard a task is put back, as a node's failure or preemption would.
games() { find results -name games.pgn -exec cat {} + 2>/dev/null | grep -c '^\[Event ' || true; }
until [ "$(games)" -gt 4 ]; do read -rt 0.1 <> <(:) || :; done
echo "requeued with $(games) games stored: task 2 of $array"
scontrol requeue "${array}_2"; sleep 1; scontrol update jobid="${array}_2" starttime=now || true
waited=0
while squeue -h -j "$array" 2>/dev/null | grep -q .; do
  read -rt 1 <> <(:) || :
  waited=$((waited + 1))
  if [ $((waited % 10)) = 0 ]; then squeue -h -j "$array" -o '%i %T %r'; fi
  [ $waited -lt 300 ] || { echo "the array does not end"; cat shard-*.log; exit 1; }
done
grep -q 'shard 2 of 3 .* start 2' shard-2.log || { echo 'task 2 was not begun again'; cat shard-2.log; exit 1; }
arbiter960 merge results/cluster results/cluster-shard-* --no-report >merged.txt
# Round, moves and result of every game.
of() {
  python3 - "$1" <<'EOF'
import csv, subprocess, sys
text = subprocess.run(["arbiter960", "export", sys.argv[1], "--format", "csv"], check=True, capture_output=True, text=True).stdout
for row in sorted((r["round"], r["moves"], r["result"], r["reason"]) for r in csv.DictReader(text.splitlines())):
    print(*row)
EOF
}
of single/cluster >single.games
of results/cluster >cluster.games
cmp single.games cluster.games || { diff single.games cluster.games | cut -c1-2000; exit 1; }
echo "$(wc -l <cluster.games) games of 3 shards are those of one machine, move for move, though one was begun again in the middle"
