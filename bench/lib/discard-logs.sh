#!/bin/sh
# workerd, whose log lines nobody reads.
exec "$BENCH_WORKERD" "$@" >/dev/null
