#!/bin/sh
# Runs in place of workerd and saves the configuration that Miniflare writes.
umask 077
cat >"$CONFIG"
