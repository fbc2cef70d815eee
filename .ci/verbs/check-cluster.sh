# shellcheck shell=bash
# group: check
# order: 5
# usage: ./run check-cluster
# help: run the job script of `sweep --slurm` under Slurm, on two nodes that this machine simulates, one of which
# help: is lost; needs root (docs/how-to/testing.md)
# example: ./run check-cluster
# check: ./run check-cluster
# ci: no needs Slurm, and waits a minute for a lost node
# needs: root
# may-not-run: without root or Slurm
[ "$(id -u)" -eq 0 ] || cannot_run_here "slurmd needs root"
need "${build_needs[@]}" gtest
try_need slurm shellcheck python || cannot_run_here "Slurm is missing"
configure release
build release switchyard
tests/cluster/check
