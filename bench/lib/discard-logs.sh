#!/bin/sh
# Runs workerd and discards its log lines.
exec "$BENCH_WORKERD" "$@" >/dev/null
