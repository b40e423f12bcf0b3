#!/bin/sh
# Makes configure and Makefile.in from their sources; needed once after a clone.
set -e
cd "$(dirname "$0")"
mkdir -p m4 build-aux
exec autoreconf --install --force "$@"
